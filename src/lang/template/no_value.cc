#include "lang/template/no_value.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::lang {

namespace {

constexpr std::string_view kNoValue = "<no value>";
constexpr std::size_t kMaxBefore = 24, kMaxAfter = 8;  // bytes shown of the rest

bool separates(char c) { return c == ' ' || c == '\n' || c == '\t' || c == ',' || c == '{'; }

}  // namespace

std::string no_value_doubt(std::string_view rendered) {
  const auto at = rendered.find(kNoValue);
  if (at == std::string_view::npos) return {};
  std::size_t begin = at, end = at + kNoValue.size();
  while (begin > 0 && at - begin < kMaxBefore && !separates(rendered[begin - 1])) --begin;
  const std::size_t most = std::min(rendered.size(), end + kMaxAfter);
  while (end < most && !separates(rendered[end]) && rendered[end] != '}') ++end;
  // A character of several bytes is not cut in two.
  while (begin < at && (static_cast<unsigned char>(rendered[begin]) & 0xC0U) == 0x80U) ++begin;
  while (end > at && end < rendered.size() &&
         (static_cast<unsigned char>(rendered[end]) & 0xC0U) == 0x80U)
    --end;
  return fmt::format("asks with {}: an argument it names is not given, or has another name",
                     rendered.substr(begin, end - begin));
}

}  // namespace slipway::lang
