#pragma once

#include <string>
#include <string_view>

#include "http/message.h"

namespace slipway::server {

enum class Verb {
  kGet,
  kList,
  kWatch,
  kCreate,
  kUpdate,
  kPatch,
  kDelete,
  kDeleteCollection,
  kNone
};
std::string_view to_string(Verb verb);  // as RBAC names it; "" for kNone

// What a request asks for, read from method, path and query alone.
//
// A path under /api/V or /apis/G/V that goes on names a resource; everything else (discovery,
// health, OpenAPI) does not.
struct Route {
  std::string path = {};
  std::string method = {};

  bool is_resource = false;
  std::string group = {};  // empty: core
  std::string version = {};
  std::string ns = {};
  std::string resource = {};
  std::string name = {};
  std::string subresource = {};
  bool too_deep = false;  // segments beyond the subresource: nothing is served there
  // Holds an empty segment, "." or "..": a name that was none, which must not be read as the
  // collection above it. A slash at the end of what is read is no segment.
  bool has_no_name = false;
  Verb verb = Verb::kNone;  // of resources

  // "get" … of resources; the method in lower case of other paths.
  std::string verb_text() const;
};
Route parse_route(std::string_view method, const http::Target& target);

// True unless absent, "0" or "false": as the API server reads boolean parameters.
bool flag(const http::Target& target, std::string_view name);

}  // namespace slipway::server
