#include "runtime/node/log_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxLine =
    64 * 1024;  // the shim writes shorter ones; what is longer is damage

std::string stamp(Time time) {
  std::string seconds = format_time(std::chrono::floor<std::chrono::seconds>(time));
  seconds.pop_back();
  const auto rest = time - std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{}.{:09}Z", seconds, rest.count());
}

// The text up to the next blank, taken off `line`.
std::string_view take_word(std::string_view& line) {
  const auto blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  line = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  return word;
}

}  // namespace

LogText::LogText(Wanted wanted)
    : wanted_(std::move(wanted)), left_(wanted_.limit_bytes.value_or(0)) {
  if (wanted_.since) since_ = stamp(*wanted_.since);
}

std::string LogText::add(std::string_view bytes) {
  std::string out;
  while (!bytes.empty() && !is_full()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) {
      if (rest_.size() + bytes.size() <= kMaxLine) rest_.append(bytes);
      break;
    }
    if (rest_.empty()) {
      add_line(bytes.substr(0, end), out);
    } else {
      rest_.append(bytes.substr(0, end));
      add_line(rest_, out);
      rest_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
  return out;
}

void LogText::add_line(std::string_view line, std::string& out) {
  const std::string_view time = take_word(line);
  const std::string_view stream = take_word(line);
  const bool partial = take_word(line) == "P";
  if (time < since_ || (!wanted_.stream.empty() && stream != wanted_.stream)) return;
  std::string text;
  if (wanted_.timestamps && !goes_on_) text = std::string(time) + " ";
  text += line;
  if (!partial) text += '\n';
  goes_on_ = partial;
  if (wanted_.limit_bytes) {
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max<std::int64_t>(left_, 0))));
    left_ -= static_cast<std::int64_t>(text.size());
  }
  out += text;
}

}  // namespace slipway::runtime
