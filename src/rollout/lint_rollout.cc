#include "rollout/lint_rollout.h"

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/schema/codec.h"
#include "rollout/routers/router.h"

namespace slipway::rollout {

std::vector<api::Problem> lint_rollout(const yaml::Document& document) {
  std::vector<api::Problem> problems;
  for (const api::ManifestItem& item : api::list_items(document)) {
    if (json::string_at(item.value, {"kind"}) != "Rollout" ||
        json::string_at(item.value, {"apiVersion"}) != argo::kApiVersion)
      continue;
    const auto rollout = api::decode<argo::Rollout>(item.value);
    if (!rollout) continue;  // told by whoever reads fields
    const auto unsupported = unsupported_in(rollout->spec, Routers::kAsWritten);
    if (!unsupported) continue;
    api::LintReport report(document, item.path);
    report.warning(unsupported->field,
                   unsupported->message + "; the Rollout would be Degraded with InvalidSpec");
    std::ranges::copy(report.problems(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace slipway::rollout
