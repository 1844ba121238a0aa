#pragma once

#include <string>
#include <vector>

#include "api/kinds/argo_rollout.h"
#include "cli/tree/branches.h"

// Rollouts as people see them. Pure.
namespace slipway::cli {

// A Rollout as it was read, and what of it is understood.
struct ShownRollout {
  json::Value document = {};
  api::argo::Rollout view = {};
};
// A field that cannot be understood is as if it were not there: what is odd must be seen, too.
Result<ShownRollout> read_rollout(json::Value document);

// Name, status, strategy with its steps and weights, images and replicas, then the tree of
// revisions with all that belongs to each.
std::string rollout_text(const ShownRollout& rollout, const Grove& grove,
                         const TreeOptions& options);

// Why its Pods do not get ready, of those that had `patience` to; or why a set cannot have its
// Pods. Of several the newest, in a line. Empty when nothing is wrong, or nobody has said so.
std::string problem_of(const ShownRollout& rollout, const Grove& grove, Duration patience);

// What of it is worth a word where nothing is redrawn: status, step and weights in a line.
std::string state_line(const ShownRollout& rollout, const Grove& grove);

// NAME STRATEGY STATUS STEP SET-WEIGHT READY DESIRED UP-TO-DATE AVAILABLE; with `with_namespace`
// NAMESPACE first.
std::vector<std::vector<std::string>> rollout_rows(const std::vector<ShownRollout>& rollouts,
                                                   bool with_namespace);

}  // namespace slipway::cli
