#include "analysis/pipecd/report.h"

#include <algorithm>
#include <utility>

namespace slipway::analysis::pipecd {

void Report::error(std::string field, std::string message) {
  add(std::move(field), Severity::kError, std::move(message));
}

void Report::warning(std::string field, std::string message) {
  add(std::move(field), Severity::kWarning, std::move(message));
}

void Report::add(std::string field, Severity severity, std::string message) {
  findings_.push_back({std::move(field), severity, std::move(message)});
}

bool Report::has_error(std::string_view field) const {
  return std::ranges::any_of(findings_, [&](const Finding& finding) {
    return finding.severity == Severity::kError && finding.field == field;
  });
}

Result<> Report::result() const {
  const auto first = std::ranges::find(findings_, Severity::kError, &Finding::severity);
  if (first == findings_.end()) return {};
  return fail(ErrorCode::kInvalid, first->message, first->field);
}

}  // namespace slipway::analysis::pipecd
