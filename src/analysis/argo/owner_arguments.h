#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/argo_strategy.h"
#include "base/json.h"
#include "lang/args/args.h"

// The arguments that Rollouts and Experiments give to their analyses. Pure.
namespace slipway::analysis {

struct RolloutFacts {
  const json::Object& rollout;  // as stored
  std::string stable_hash = {};
  std::string latest_hash = {};
};

// kInvalid, in Argo's words, where a fieldRef leads nowhere: `invalid path P in rollout`, `index 12
// out of range`, `invalid index 'x'`, `path P in rollout must terminate in a primitive value`.
Result<std::vector<api::argo::Argument>> rollout_arguments(
    const std::vector<api::argo::AnalysisRunArgument>& given, const RolloutFacts& facts);

// The text at a path of the Rollout: `status.pauseConditions[0].reason`, and of its metadata also
// `metadata.labels['app.kubernetes.io/name']`.
Result<std::string> value_in_rollout(const json::Object& rollout, std::string_view path);

// Values with {{templates.x.podTemplateHash}} and the like put in; see lang::substitute. Where a
// value comes from is kept as it is.
Result<std::vector<api::argo::Argument>> experiment_arguments(
    std::vector<api::argo::Argument> given, const lang::Tags& tags);

}  // namespace slipway::analysis
