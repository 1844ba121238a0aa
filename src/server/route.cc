#include "server/route.h"

#include <vector>

#include "base/text.h"

namespace slipway::server {
namespace {

using text::lower;

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    auto end = path.find('/');
    if (auto part = path.substr(0, end); !part.empty()) segments.emplace_back(part);
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  }
  return segments;
}

// Whether something stands where a name has to, and it is none. `path` is that of a resource.
bool lacks_a_name(std::string_view method, std::string_view path) {
  const bool reads = method == "GET" || method == "HEAD";
  if (reads && path.ends_with('/')) path.remove_suffix(1);
  path.remove_prefix(1);
  for (const auto& segment : text::split(path, '/'))
    if (segment.empty() || segment == "." || segment == "..") return true;
  return false;
}

Verb verb_of(std::string_view method, bool named, bool watching) {
  if (method == "GET" || method == "HEAD") {
    if (named) return Verb::kGet;
    return watching ? Verb::kWatch : Verb::kList;
  }
  if (method == "POST") return Verb::kCreate;
  if (method == "PUT") return Verb::kUpdate;
  if (method == "PATCH") return Verb::kPatch;
  if (method == "DELETE") return named ? Verb::kDelete : Verb::kDeleteCollection;
  return Verb::kNone;
}

// Fills namespace, resource, name and subresource from what follows the version.
void read_resource(Route& route, std::vector<std::string> rest) {
  bool below_namespace = rest[0] == "namespaces" && rest.size() > 1;
  if (below_namespace) {
    route.ns = rest[1];
    bool of_namespace = rest.size() == 2 || rest[2] == "status" || rest[2] == "finalize";
    // The core group's namespaces/NAME and its two subresources are about the namespace itself.
    if (!of_namespace) rest.erase(rest.begin(), rest.begin() + 2);
  }
  route.resource = rest[0];
  if (rest.size() > 1) route.name = rest[1];
  if (rest.size() > 2) route.subresource = rest[2];
  route.too_deep = rest.size() > 3;
}

}  // namespace

std::string_view to_string(Verb verb) {
  switch (verb) {
    case Verb::kGet:
      return "get";
    case Verb::kList:
      return "list";
    case Verb::kWatch:
      return "watch";
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kPatch:
      return "patch";
    case Verb::kDelete:
      return "delete";
    case Verb::kDeleteCollection:
      return "deletecollection";
    case Verb::kNone:
      break;
  }
  return "";
}

std::string Route::verb_text() const {
  return is_resource && verb != Verb::kNone ? std::string(to_string(verb)) : lower(method);
}

bool flag(const http::Target& target, std::string_view name) {
  const std::string* value = target.find(name);
  return value && *value != "0" && lower(*value) != "false";
}

Route parse_route(std::string_view method, const http::Target& target) {
  Route route{.path = target.path, .method = std::string(method)};
  auto parts = segments_of(target.path);
  std::size_t head = 0;
  if (parts.size() > 2 && parts[0] == "api") {
    route.version = parts[1];
    head = 2;
  } else if (parts.size() > 3 && parts[0] == "apis") {
    route.group = parts[1];
    route.version = parts[2];
    head = 3;
  } else {
    return route;
  }
  route.is_resource = true;
  route.has_no_name = lacks_a_name(method, target.path);
  std::vector<std::string> rest(parts.begin() + static_cast<std::ptrdiff_t>(head), parts.end());
  bool old_watch = rest[0] == "watch" && rest.size() > 1;
  if (old_watch) rest.erase(rest.begin());
  read_resource(route, std::move(rest));
  route.verb = verb_of(method, !route.name.empty(), flag(target, "watch"));
  if (old_watch && (route.verb == Verb::kGet || route.verb == Verb::kList))
    route.verb = Verb::kWatch;
  return route;
}

}  // namespace slipway::server
