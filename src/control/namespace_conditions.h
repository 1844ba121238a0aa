#pragma once

#include <map>
#include <string>

#include "base/json.h"
#include "base/time.h"

// What holds a namespace that is being deleted, in its status and in Kubernetes' words. Pure.
namespace slipway::control {

struct NamespaceContent {
  std::map<std::string, std::size_t> kinds = {};       // "pods.", "deployments.apps": how many
  std::map<std::string, std::size_t> finalizers = {};  // in how many objects
};

// Sets the five conditions of a terminating namespace; false when they say so already. A time stays
// while the status it belongs to does.
bool set_conditions(json::Value& ns, const NamespaceContent& left, Time now);

}  // namespace slipway::control
