#include "rollout/lint_rollout.h"

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/schema/codec.h"
#include "rollout/routers/router.h"

namespace slipway::rollout {

std::vector<api::Problem> lint_rollout(const yaml::Document& document) {
  if (json::string_at(document.value, {"kind"}) != "Rollout" ||
      json::string_at(document.value, {"apiVersion"}) != argo::kApiVersion)
    return {};
  const auto rollout = api::decode<argo::Rollout>(document.value);
  if (!rollout) return {};  // told by whoever reads fields
  const auto unsupported = unsupported_in(rollout->spec, Routers::kAsWritten);
  if (!unsupported) return {};
  return {{.line = std::max(document.positions.find(unsupported->field).line, document.line),
           .field = unsupported->field,
           .severity = api::Problem::Severity::kWarning,
           .message = unsupported->message + "; the Rollout would be Degraded with InvalidSpec"}};
}

}  // namespace slipway::rollout
