#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rollout/plan.h"

// Traffic routers: objects of other projects whose weights a Rollout sets. Pure: object in, object
// out; the shell reads and writes them.
namespace slipway::rollout {

enum class RouterKind {
  kGatewayApi,
  kNginx,
  kIstioService,
  kIstioRule,
  kSmi,
  kTranslated,
  kTranslatedSubset
};

// One object that a router changes.
struct RouterTarget {
  RouterKind router = {};
  api::Gvr kind = {};
  std::string ns = {}, name = {};
  std::string model = {};    // what the object is made after, and needed for that
  api::Gvr model_kind = {};  // where it is another
  bool finds_model = false;  // the model is the Service that selects the Pods: find_divided()
  bool is_made = false;      // by us, when it is not there
};

// The objects of all routers of a Rollout, in the order they are changed.
std::vector<RouterTarget> router_targets(const argo::Rollout& rollout, const std::string& ns,
                                         Routers routers);

// What a router needs to know.
struct Routing {
  const argo::Rollout& rollout;
  const json::Object& document;  // the Rollout as stored, for owner references
  const RouteTraffic& traffic;
  Count max_weight = kMaxWeight;
};

// The object as it shall be; the same as `now` when nothing changes. `now` and `model` are null
// where there is none. kInvalid: it cannot be routed, and why.
Result<json::Value> route(const RouterTarget& target, const Routing& routing,
                          const json::Value& now, const json::Value& model);

// The one of these Services that people ask and that selects the Rollout's Pods, not those of one
// version. kNotFound: none does; kInvalid: several do.
Result<json::Value> find_divided(const argo::Rollout& rollout,
                                 const std::vector<json::Value>& services);

// The first router, step plugin or mirroring that is not there, by its field.
std::optional<Cause> unsupported_in(const argo::RolloutSpec& spec, Routers routers);

}  // namespace slipway::rollout
