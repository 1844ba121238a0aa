#pragma once

#include <string>
#include <vector>

#include "api/kinds/argo_rollout.h"
#include "base/json.h"

// What to write for what people ask of a Rollout: the patches Argo's own client sends. Pure.
namespace slipway::cli {

// Merge patches; an empty one is not sent.
struct Change {
  std::string status = {};  // to the status subresource
  std::string spec = {};    // to the object
  std::string both = {};    // to the object instead, where there is no status subresource
  std::string done = {};    // what is said then: "promoted"

  bool is_nothing() const { return status.empty() && spec.empty(); }
};

// Past the pause, or past the current step; `full`: past everything. Of an update that was aborted
// kInvalid, which says what to do instead. What is promoted is what was seen: the patch of the
// status names its version, and is refused (kConflict) when the controller went on meanwhile.
Result<Change> decide_promote(const api::argo::Rollout& rollout, bool full);
// After such a refusal: whether `now` is past what was `seen`; else it is to be promoted again.
// kConflict: it is another update by now, which nobody asked to promote.
Result<bool> has_gone_past(const api::argo::Rollout& seen, const api::argo::Rollout& now,
                           bool full);
Result<Change> decide_abort(const api::argo::Rollout& rollout);
Result<Change> decide_retry(const api::argo::Rollout& rollout);
Change decide_pause(const api::argo::Rollout& rollout);
Change decide_restart(Time at);

// Where the Pod template is, and as what: in the Rollout, or in the workload it refers to.
struct TemplateHome {
  json::Value document = {};
  std::string pointer = {};  // /spec/template, or /template in a PodTemplate
};
// Null when there is none.
const json::Value* template_in(const TemplateHome& home);

// A JSON patch of the object that holds the template; empty when it is so already.
struct TemplateChange {
  std::string patch = {};
  std::string done = {};
};

// The template of another revision. `sets` are the Rollout's. kInvalid names the revisions there
// are.
struct Destination {
  std::int64_t revision = 0;     // 0: the stable one while there is an update, else the one before
  std::string stable_hash = {};  // of the stable set; empty: there is none
};
Result<TemplateChange> decide_undo(const std::vector<const json::Value*>& sets,
                                   const TemplateHome& home, const Destination& to);

// `web=example/web:2.0`
struct Assignment {
  std::string container = {}, image = {};
};
Result<Assignment> parse_assignment(std::string_view text);

// Each `container=image`; `*` is every container. kInvalid names the containers there are.
Result<TemplateChange> decide_images(const std::vector<std::string>& assignments,
                                     const TemplateHome& home);

}  // namespace slipway::cli
