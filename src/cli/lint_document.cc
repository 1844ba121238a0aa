#include "cli/lint_document.h"

#include <algorithm>

#include "analysis/argo/lint_argo_advice.h"
#include "analysis/argo/lint_argo_metrics.h"
#include "analysis/flagger/lint_flagger.h"
#include "analysis/kayenta/compile_kayenta.h"
#include "analysis/kayenta/lint_kayenta.h"
#include "analysis/pipecd/lint_pipecd.h"
#include "rollout/lint_rollout.h"

namespace slipway::cli {

namespace {

using api::Problem;
using Problems = std::vector<Problem>;

constexpr std::string_view kPipecd = "pipecd.dev/";

// By line; one that was said already is not said again.
void add(Problems& all, Problems more) {
  for (auto& problem : more) {
    const bool said = std::ranges::any_of(all, [&](const Problem& known) {
      return known.field == problem.field && known.message == problem.message;
    });
    if (said) continue;
    const auto after = std::ranges::upper_bound(all, problem.line, {}, &Problem::line);
    all.insert(after, std::move(problem));
  }
}

Problems repeated_keys(const yaml::Document& document) {
  Problems problems;
  for (const auto& path : document.duplicates)
    problems.push_back({.line = std::max(document.positions.find(path).line, document.line),
                        .field = path,
                        .message = "this key is repeated; the last value wins"});
  return problems;
}

// Canaries are no kind of the registry's: their own lint says all about them.
bool is_of_known_dialect(const Problem& problem) {
  return problem.message.starts_with("Canary of flagger.app/");
}

}  // namespace

Problems lint_document(const yaml::Document& document, std::size_t index,
                       const std::vector<const yaml::Document*>& others,
                       const api::Registry& registry) {
  Problems all;
  if (json::string_at(document.value, {"apiVersion"}).starts_with(kPipecd)) {
    add(all, repeated_keys(document));
    add(all, analysis::lint_pipecd(document, index));
    return all;
  }
  if (analysis::is_kayenta_config(document.value)) {
    add(all, repeated_keys(document));
    add(all, analysis::lint_kayenta(document));
    return all;
  }
  all = api::lint(document, registry);
  std::erase_if(all, is_of_known_dialect);
  add(all, analysis::lint_flagger(document, others));
  add(all, analysis::lint_argo_metrics(document));
  add(all, analysis::lint_argo_advice(document, others));
  add(all, rollout::lint_rollout(document));
  return all;
}

}  // namespace slipway::cli
