#include "base/json_skim.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_parser.h"

namespace slipway::json {

bool Parser::leaves_out(std::string_view key) const {
  constexpr std::size_t kDeepest = 2;
  return depth_ <= kDeepest && std::ranges::find(left_out_, key) != left_out_.end();
}

// To the comma or bracket after a value.
bool Parser::pass_over() {
  std::size_t open = 0;
  for (; at_ != end_; ++at_) {
    if (*at_ == '"') {
      for (++at_; at_ != end_ && *at_ != '"'; ++at_)
        if (*at_ == '\\' && ++at_ == end_) break;
      if (at_ == end_) break;
    } else if (*at_ == '{' || *at_ == '[') {
      if (depth_ + ++open > options_.max_depth)
        return fail_at(at_, fmt::format("nested more than {} levels deep", options_.max_depth));
    } else if (*at_ == '}' || *at_ == ']') {
      if (open-- == 0) return true;
    } else if (*at_ == ',' && open == 0) {
      return true;
    }
  }
  return expected("the end of the value");
}

Result<Object> skim(std::string_view text, std::span<const std::string_view> left_out,
                    const ReadOptions& options) {
  if (text.size() > options.max_bytes)
    return fail(ErrorCode::kTooLarge, "the document is too large");
  Parser parser(text, options);
  parser.leave_out(left_out);
  Value value;
  if (!parser.parse_value(value)) return parser.failure();
  if (!parser.at_end() || !value.is_object())
    return fail(ErrorCode::kBadRequest, "the document is no object");
  return std::move(value.get_object());
}

}  // namespace slipway::json
