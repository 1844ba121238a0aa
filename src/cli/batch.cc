#include "cli/batch.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <string_view>
#include <utility>

#include "cli/exit_code.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kChunk = 64 * 1024;

// Cuts a stream into lines while holding at most one of them.
class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in), chunk_(kChunk, '\0') {}

  // False at the end. `too_long()` then tells about the line just read: its rest was dropped.
  bool next(std::string& line) {
    line.clear();
    too_long_ = false;
    bool any = false;
    while (at_ < have_ || refill()) {
      any = true;
      const std::string_view rest = std::string_view(chunk_).substr(at_, have_ - at_);
      const auto end = rest.find('\n');
      take(line, rest.substr(0, end));
      at_ += end == std::string_view::npos ? rest.size() : end + 1;
      if (end != std::string_view::npos) return true;
    }
    return any;
  }

  bool too_long() const { return too_long_; }

 private:
  void take(std::string& line, std::string_view part) {
    too_long_ = too_long_ || line.size() + part.size() > kMaxBatchLine;
    if (!too_long_) line.append(part);
  }

  // A terminal or a pipe gives what it has: a case is answered when its line is there, not when a
  // chunk is full.
  bool refill() {
    at_ = have_ = 0;
    if (in_.peek() == std::istream::traits_type::eof()) return false;
    have_ = static_cast<std::size_t>(in_.readsome(chunk_.data(), kChunk));
    if (have_ == 0 && in_.get(chunk_[0])) have_ = 1;
    return have_ > 0;
  }

  std::istream& in_;
  std::string chunk_;
  std::size_t at_ = 0;
  std::size_t have_ = 0;
  bool too_long_ = false;
};

Result<json::Object> read_case(const std::string& line, bool too_long) {
  if (too_long)
    return fail(ErrorCode::kTooLarge, fmt::format("the line is longer than {} bytes; "
                                                  "split the case, or ask for it alone",
                                                  kMaxBatchLine));
  auto value = json::read(line, {.max_bytes = kMaxBatchLine, .allow_nan = true});
  if (!value) return std::unexpected(value.error());
  if (!value->is_object())
    return fail(ErrorCode::kBadRequest, "the line is no JSON object; write {\"id\": …, …}");
  return std::move(value->as_object());
}

json::Object answer(const std::string& line, bool too_long, const BatchWork& work) {
  json::Object out{{"id", nullptr}};
  auto asked = read_case(line, too_long);
  if (asked)
    if (const json::Value* id = asked->if_contains("id")) out["id"] = *id;
  auto answered = asked ? work(*asked) : std::move(asked);
  if (!answered) answered = error_object(answered.error());
  for (auto& [key, value] : *answered)
    if (key != "id") out[key] = std::move(value);
  return out;
}

int unreadable(std::string message) {
  complain({.code = ErrorCode::kUnavailable, .message = std::move(message)});
  return kExitCannotAsk;
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

json::Object error_object(const Error& error) {
  return {{"error", {{"code", to_string(error.code)}, {"message", error.text()}}}};
}

int refuse(const Error& error, Format format, std::string_view advice) {
  if (format == Format::kJson || format == Format::kYaml) print_value(error_object(error), format);
  Error told = error;
  told.message += advice;
  complain(told);
  const bool misuse = error.code == ErrorCode::kBadRequest && error.where.starts_with("--");
  return misuse ? kExitUsage : kExitCannotAsk;
}

bool answer_lines(std::istream& in, std::ostream& out, const BatchWork& work) {
  Lines lines(in);
  std::string line;
  while (lines.next(line)) {
    if (!lines.too_long() && blank(line)) continue;
    out << json::write(answer(line, lines.too_long(), work)) << '\n' << std::flush;
    if (!out) return false;
  }
  return !in.bad();
}

int run_batch(const std::string& path, const BatchWork& work) {
  std::ifstream file;
  if (path == "-") {
    // Without this, readsome never sees what waits in C's own buffer.
    std::ios::sync_with_stdio(false);
  } else {
    file.open(path, std::ios::binary);
    if (!file)
      return unreadable(
          fmt::format("cannot open \"{}\"; give a file of JSON lines, or - for "
                      "standard input",
                      path));
  }
  if (answer_lines(path == "-" ? std::cin : file, std::cout, work)) return kExitDone;
  if (!std::cout) return note("slipway: cannot write the output"), kExitCannotAsk;
  return unreadable(fmt::format("\"{}\" could not be read to its end", path));
}

}  // namespace slipway::cli
