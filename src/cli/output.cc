#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "analysis/report/plain_text.h"
#include "base/utf8.h"
#include "base/yaml.h"
#include "cli/exit_code.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kGap = 3;

// Characters a terminal shows; continuation bytes of UTF-8 take no room.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string written_out(std::string_view control) {
  switch (control.front()) {
    case '\x1b':
      return "^[";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}",
                         static_cast<std::uint32_t>(utf8::decode_first(control, control.size())));
  }
}

}  // namespace

bool write_to(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

void print(std::string_view text) {
  if (output_failed() || write_to(stdout, text)) return;
  note(fmt::format("slipway: cannot write the output: {}", std::strerror(errno)));
}

bool output_failed() { return std::ferror(stdout) != 0; }

int finish_output(int code) {
  print("");
  return output_failed() && code != kExitUsage ? kExitCannotAsk : code;
}

void print_line(std::string_view line) { print(fmt::format("{}\n", line)); }

void note(std::string_view line) { write_to(stderr, fmt::format("{}\n", line)); }

int complain(const Error& error) {
  note(fmt::format("slipway: {}", error.text()));
  return exit_code_of(error);
}

int exit_code_of(const Error& error) {
  const bool unanswered =
      error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kInternal;
  return unanswered ? kExitCannotAsk : kExitFailed;
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

bool colours() {
  const char* none = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term && std::string_view(term) == "dumb";
  return stdout_is_terminal() && !dumb && !(none && *none);
}

Result<Format> parse_format(std::string_view word) {
  if (word.empty()) return Format::kTable;
  if (word == "wide") return Format::kWide;
  if (word == "json") return Format::kJson;
  if (word == "yaml") return Format::kYaml;
  if (word == "name") return Format::kName;
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not an output format; write json, yaml, wide or name", word));
}

void print_value(const json::Value& value, Format format) {
  if (format == Format::kYaml)
    print(yaml::write(value));
  else
    print_line(json::write(value, {.indent = 4, .sort_keys = true}));
}

void hide_managed_fields(json::Value& value) {
  if (auto* metadata = json::at(value, {"metadata"}); metadata && metadata->is_object())
    json::erase(metadata->get_object(), "managedFields");
  if (auto* items = json::at(value, {"items"}); items && items->is_array())
    for (auto& item : items->get_array()) hide_managed_fields(item);
}

void print_object(json::Value object, Format format) {
  hide_managed_fields(object);
  print_value(object, format);
}

void print_changed(const json::Value& object, std::string_view name, std::string_view done,
                   Format format) {
  if (format == Format::kName)
    print_line(name);
  else if (format != Format::kTable)
    print_object(object, format);
  else
    print_line(fmt::format("{} {}", name, done));
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  while (!text.empty()) {
    const auto first = text.substr(0, std::max<std::size_t>(utf8::length_of_first(text), 1));
    text.remove_prefix(first.size());
    const char c = first.front();
    if ((c >= ' ' && c <= '~') || kept.contains(c)) {
      out += c;
    } else {
      // Nothing is left there of what no terminal may see.
      const std::string shown = analysis::report::one_line(first);
      out += shown.empty() ? written_out(first) : shown;
    }
  }
  return out;
}

std::string align(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  return align(rows, widths);
}

std::string align(const std::vector<std::vector<std::string>>& rows,
                  std::vector<std::size_t>& widths) {
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - width(row[i]) + kGap, ' ');
    }
    text += '\n';
  }
  return text;
}

}  // namespace slipway::cli
