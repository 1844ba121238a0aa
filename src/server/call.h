#pragma once

#include <memory>
#include <string>

#include "api/registry.h"
#include "async/loop.h"
#include "http/server.h"
#include "server/auth.h"
#include "server/media.h"
#include "server/route.h"
#include "store/store.h"

namespace slipway::server {

class Metrics;

// What every handler works with; all outlive the loop.
struct Services {
  Loop& loop;
  api::Registry& registry;
  store::Store& store;
  Metrics& metrics;
};

// One authorised request for a resource on its way through the server.
struct Call {
  http::Request request;
  Route route;
  User user;
  Accepted accepted;
  std::shared_ptr<const api::Resource> resource;

  // The path of a namespace names it twice, as namespace and as object; objects outside of
  // namespaces have none.
  std::string ns() const { return resource->namespaced ? route.ns : std::string(); }
  store::Key key() const { return {ns(), route.name}; }
  api::Gvr gvr() const { return resource->gvr(); }
  // The value of a query parameter, or empty.
  std::string_view parameter(std::string_view name) const {
    const std::string* value = request.target.find(name);
    return value ? std::string_view(*value) : std::string_view();
  }
};

}  // namespace slipway::server
