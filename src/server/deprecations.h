#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/registry.h"
#include "async/task.h"
#include "http/server.h"
#include "store/store.h"

namespace slipway::server {

// What a custom resource definition says of one of its versions when it is deprecated: its own
// words, or Kubernetes' with the best version that is not. Empty for other versions.
std::string deprecation_warning(const json::Object& definition, std::string_view version);

// Puts a warning before those about the object, where kube-apiserver has it.
void warn_first(http::Response& response, const std::string& warning);

// deprecation_warning for requests: definitions are read when their kind is first asked for after a
// change of the registry.
class Deprecations {
 public:
  // Both outlive the loop.
  Deprecations(const api::Registry& registry, store::Store& store)
      : registry_(registry), store_(store) {}

  // Empty also when the definition cannot be read: an answer does not fail for its warning.
  Task<std::string> warning(std::shared_ptr<const api::Resource> resource);

 private:
  const api::Registry& registry_;
  store::Store& store_;
  std::uint64_t version_ = 0;                 // of the registry, when `warnings_` began
  std::map<api::Gvr, std::string> warnings_;  // one a custom kind that was asked for
};

}  // namespace slipway::server
