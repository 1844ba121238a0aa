#include "api/schema/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace slipway::api {

namespace {
// Patterns come from users: one may not take the memory of the server.
constexpr std::int64_t kMaxPatternBytes = 1 << 20;
// About what RE2 makes of that before it gives up.
constexpr int kMaxPatternInstructions = 16'000;
}  // namespace

Result<std::shared_ptr<const Pattern>> Pattern::compile(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternBytes);
  auto expression = std::make_unique<RE2>(text, options);
  if (!expression->ok()) {
    return fail(ErrorCode::kInvalid, fmt::format("error parsing regexp: {}", expression->error()));
  }
  return std::make_shared<const Pattern>(std::move(expression));
}

Pattern::Pattern(std::unique_ptr<re2::RE2> expression) : expression_(std::move(expression)) {}
Pattern::~Pattern() = default;

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *expression_);
}

int Pattern::size() const { return expression_->ProgramSize(); }

Result<std::shared_ptr<const Pattern>> Patterns::compile(const std::string& text) {
  auto known = known_.find(text);
  if (known != known_.end()) return known->second;
  if (instructions_ >= kMaxInstructions) {
    return fail(ErrorCode::kInvalid,
                fmt::format("the patterns of one definition may take {} instructions together",
                            kMaxInstructions));
  }
  auto compiled = Pattern::compile(text);
  // One that is refused may have taken as long as the largest that is not.
  instructions_ += compiled ? (*compiled)->size() : kMaxPatternInstructions;
  return known_.emplace(text, std::move(compiled)).first->second;
}

}  // namespace slipway::api
