#include "lang/expr/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/utf8.h"

namespace slipway::lang::expr {

namespace {

constexpr int kMaxPatternMemory = 8 * 1024 * 1024;

std::string_view go_name(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character class range";
    case RE2::ErrorMissingBracket:
      return "missing closing ]";
    case RE2::ErrorMissingParen:
      return "missing closing )";
    case RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    default:
      return "expression too large";
  }
}

// Go also writes (?<name>…) for (?P<name>…), which this RE2 does not know, and has no \C.
std::expected<std::string, std::string> as_re2(const std::string& text) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest[0] == '\\' && rest.size() > 1) {
      if (rest[1] == 'C')
        return std::unexpected("error parsing regexp: invalid escape sequence: `\\C`");
      out += rest.substr(0, 2);
      ++i;
      continue;
    }
    if (rest[0] == '[') in_class = true;
    if (rest[0] == ']') in_class = false;
    if (!in_class && (rest.starts_with("(?<") || rest.starts_with("(?P<"))) {
      const std::string_view name = rest.substr(0, rest.find('>') + 1);
      // RE2 takes letters of all scripts, Go those of ASCII.
      if (std::ranges::any_of(name, [](char c) { return static_cast<signed char>(c) < 0; }))
        return std::unexpected(
            fmt::format("error parsing regexp: invalid named capture: `{}`", name));
    }
    if (!in_class && rest.starts_with("(?<")) {
      out += "(?P<";
      i += 2;
    } else {
      out += rest[0];
    }
  }
  return out;
}

}  // namespace

std::expected<Pattern, std::string> Pattern::compile(const std::string& text) {
  auto spelt = as_re2(text);
  if (!spelt) return std::unexpected(std::move(spelt).error());
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  auto expression = std::make_shared<const re2::RE2>(*spelt, options);
  if (expression->ok()) return Pattern(std::move(expression));
  // Go shows the whole expression where a bracket is missing, RE2 what is left of it.
  const bool whole = expression->error_code() == RE2::ErrorMissingParen ||
                     expression->error_code() == RE2::ErrorUnexpectedParen;
  std::string part = whole ? text : expression->error_arg();
  if (part.starts_with("(?P<") && text.find("(?P<") == std::string::npos) part.erase(2, 1);
  const std::string_view name = go_name(expression->error_code());
  if (expression->error_code() == RE2::ErrorTrailingBackslash)
    return std::unexpected(fmt::format("error parsing regexp: {}: ``", name));
  return std::unexpected(fmt::format("error parsing regexp: {}: `{}`", name, part));
}

Pattern::Pattern(std::shared_ptr<const re2::RE2> expression) : expression_(std::move(expression)) {}

std::size_t Pattern::cost() const {
  constexpr int kCheap = 16;
  return 1 + static_cast<std::size_t>(expression_->ProgramSize() / kCheap);
}

bool Pattern::matches(std::string_view text) const {
  // In bytes that are no UTF-8 RE2 finds no character, Go finds U+FFFD in each.
  return RE2::PartialMatch(utf8::repaired(text), *expression_);
}

}  // namespace slipway::lang::expr
