#include "server/api_server.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/scale.h"
#include "async/limit.h"
#include "base/log.h"
#include "http/gzip.h"
#include "server/auth.h"
#include "server/call.h"
#include "server/delete.h"
#include "server/deprecations.h"
#include "server/discovery.h"
#include "server/dress.h"
#include "server/openapi_cache.h"
#include "server/pod_actions.h"
#include "server/present.h"
#include "server/read.h"
#include "server/reviews.h"
#include "server/scrape.h"
#include "server/scrape_targets.h"
#include "server/status.h"
#include "server/write.h"

namespace slipway::server {
namespace {

Error method_not_allowed() {
  return {.code = ErrorCode::kMethodNotAllowed,
          .message = "the server does not allow this method on the requested resource"};
}

// Of a group that Kubernetes knows too it answers in its own words; elsewhere there is no such
// page.
http::Response unknown_resource(const api::Registry& registry, const Route& route) {
  const auto all = registry.all();
  const bool known = std::ranges::any_of(all, [&](const auto& resource) {
    return resource->native && resource->gvk.group == route.group;
  });
  if (!known) return unknown_path();
  return failure({.code = ErrorCode::kNotFound,
                  .message = "the server could not find the requested resource"});
}

bool speaks_of_objects(const Route& route) {
  return route.is_resource || route.path.starts_with("/api") || route.path.starts_with("/openapi");
}

class ApiServer : public http::Handler {
 public:
  ApiServer(Loop& loop, api::Registry& registry, store::Store& store, Options options,
            Metrics& metrics)
      : services_{loop, registry, store, metrics},
        options_(std::move(options)),
        tokens_(options_.admin_token, options_.view_token),
        openapi_(loop, registry),
        deprecations_(registry, store),
        watches_(loop, kMaxWatches),
        logs_(loop, kMaxOpenLogs),
        in_flight_(loop, kMaxInFlight) {}

  Task<http::Response> handle(http::Request request) override;
  std::unique_ptr<http::Response> refuse(const http::Request& head) override;

 private:
  // Who asks, or why they are turned away.
  Result<User> admit(const http::Request& request, const Route& route) const;
  Task<http::Response> answer(http::Request request, Route route, User user);
  Task<http::Response> answer_path(http::Request request);
  Task<http::Response> answer_resource(Call call);
  Task<http::Response> answer_named(Call call);
  Task<http::Response> answer_subresource(Call call);
  std::optional<Task<http::Response>> answer_pod(Call& call);
  std::string version_page() const;

  Services services_;
  Options options_;
  Tokens tokens_;
  OpenApiCache openapi_;
  Deprecations deprecations_;
  Limit watches_;
  Limit logs_;
  Limit in_flight_;
  int running_ = 0;
};

Result<User> ApiServer::admit(const http::Request& request, const Route& route) const {
  auto host = request.headers.get("Host");
  if (!host_is_ours(host, options_.hosts, request.local))
    return fail(ErrorCode::kForbidden,
                fmt::format("forbidden: this server is not known as \"{}\"; use one of its own "
                            "names, or add the name with --host",
                            host));
  if (needs_no_token(route.path)) return User{};
  auto user = tokens_.find(request.headers);
  if (!user) return fail(ErrorCode::kUnauthorized, "Unauthorized");
  if (auto refused = refuse_impersonation(request.headers, *user); !refused)
    return std::unexpected(refused.error());
  auto access = access_of(route);
  if (!may(user->role, access)) return fail(forbidden(*user, access));
  return std::move(*user);
}

std::unique_ptr<http::Response> ApiServer::refuse(const http::Request& head) {
  auto user = admit(head, parse_route(head.method, head.target));
  if (user) return nullptr;
  services_.metrics.count_request("refused", "", http_status(user.error().code), {});
  return std::make_unique<http::Response>(failure(user.error()));
}

Task<http::Response> ApiServer::handle(http::Request request) {
  auto started = services_.loop.clock().uptime();
  auto route = parse_route(request.method, request.target);
  bool known = route.is_resource &&
               services_.registry.find(api::Gvr{route.group, route.version, route.resource});
  std::string verb = route.is_resource ? std::string(to_string(route.verb)) : "path";
  std::string resource = known ? route.resource : "";
  bool pretty = flag(request.target, "pretty");
  auto accepted = negotiate(request.headers.get("Accept"));
  http::Response response;
  auto user = admit(request, route);
  auto place = in_flight_.try_enter();
  if (!user) {
    response = failure(user.error());
  } else if (!place) {
    response = failure({.code = ErrorCode::kTooManyRequests,
                        .message = "Too many requests, please try again later."});
  } else {
    services_.metrics.set_in_flight(++running_);
    response = co_await answer(std::move(request), std::move(route), std::move(*user));
    services_.metrics.set_in_flight(--running_);
  }
  response =
      co_await dress(services_.loop, std::move(response), pretty, accepted && accepted->yaml);
  if (!response.headers.has("Cache-Control"))
    response.headers.set("Cache-Control", "no-cache, private");
  auto took = services_.loop.clock().uptime() - started;
  services_.metrics.count_request(verb, resource, response.status, took);
  log::debug("server", "{} {} {} in {}", verb, resource, response.status, format_duration(took));
  co_return response;
}

Task<http::Response> ApiServer::answer(http::Request request, Route route, User user) {
  if (!options_.objects && speaks_of_objects(route))
    co_return failure({.code = ErrorCode::kNotFound,
                       .message = "objects are kept by the cluster this server works for: ask the "
                                  "cluster's own API server"});
  if (!route.is_resource) co_return co_await answer_path(std::move(request));
  if (route.has_no_name)
    co_return failure({.code = ErrorCode::kBadRequest,
                       .message = fmt::format("the path \"{}\" has an empty segment, \".\" or "
                                              "\"..\" where a name has to be",
                                              route.path)});
  auto accepted = negotiate(request.headers.get("Accept"));
  if (!accepted)
    co_return failure({.code = ErrorCode::kNotAcceptable,
                       .message = "only the following media types are accepted: application/json, "
                                  "application/yaml"});
  if (options_.usage && route.group == kUsageGroup)
    co_return co_await get_usage(services_, *options_.usage, std::move(request), std::move(route));
  auto resource = services_.registry.find(api::Gvr{route.group, route.version, route.resource});
  bool itself = route.resource == "namespaces" && route.name == route.ns;
  bool misplaced = resource && !resource->namespaced && !route.ns.empty() && !itself;
  if (!resource || misplaced || route.too_deep)
    co_return unknown_resource(services_.registry, route);
  if (request.method == "HEAD") co_return failure(method_not_allowed());
  Call call{std::move(request), std::move(route), std::move(user), std::move(*accepted), resource};
  auto warning = co_await deprecations_.warning(std::move(resource));
  auto response = co_await answer_resource(std::move(call));
  if (!warning.empty()) warn_first(response, warning);
  co_return response;
}

Task<http::Response> ApiServer::answer_path(http::Request request) {
  if (request.method != "GET" && request.method != "HEAD") co_return failure(method_not_allowed());
  if (auto response = health(request, options_.checks)) co_return std::move(*response);
  if (auto response = openapi_.answer(request)) co_return std::move(*response);
  if (auto response = discovery(services_.registry, request, options_.usage != nullptr))
    co_return std::move(*response);
  const auto& path = request.target.path;
  if (path == "/version" || path == "/version/") co_return json_response(200, version_page());
  if (path == "/metrics")
    co_return scrape_response(services_.loop, services_.metrics,
                              http::accepts_gzip(request.headers.get("Accept-Encoding")));
  if (path == kScrapeTargetsPath && options_.objects)
    co_return co_await get_scrape_targets(services_, std::move(request));
  if (path == "/") {
    json::Array paths;
    for (auto each : {"/api", "/api/v1", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2",
                      "/openapi/v3", "/prometheus/pods", "/readyz", "/version"})
      paths.emplace_back(each);
    co_return json_response(200, json::write(json::Object{{"paths", std::move(paths)}}) + "\n");
  }
  co_return unknown_path();
}

Task<http::Response> ApiServer::answer_resource(Call call) {
  if (!call.resource->stored) {
    if (call.route.verb != Verb::kCreate || !call.route.name.empty())
      co_return failure(method_not_allowed());
    co_return answer_review(services_, call);
  }
  if (!call.route.subresource.empty()) co_return co_await answer_subresource(std::move(call));
  auto verbs = verbs_of(*call.resource);
  if (std::ranges::find(verbs, to_string(call.route.verb)) == verbs.end())
    co_return failure(method_not_allowed());
  if (!call.route.name.empty() && call.route.verb != Verb::kWatch)
    co_return co_await answer_named(std::move(call));
  switch (call.route.verb) {
    case Verb::kList:
      co_return co_await list_objects(services_, std::move(call));
    case Verb::kWatch:
      co_return co_await watch_objects(services_, watches_, std::move(call));
    case Verb::kCreate:
      // An object of a namespaced kind belongs into one.
      if (call.resource->namespaced && call.route.ns.empty())
        co_return failure(method_not_allowed());
      co_return co_await create_object(services_, std::move(call));
    case Verb::kDeleteCollection:
      if (call.resource->namespaced && call.route.ns.empty())
        co_return failure(method_not_allowed());
      co_return co_await delete_collection(services_, std::move(call));
    default:
      co_return failure(method_not_allowed());
  }
}

Task<http::Response> ApiServer::answer_named(Call call) {
  if (call.resource->namespaced && call.route.ns.empty()) co_return unknown_path();
  switch (call.route.verb) {
    case Verb::kGet:
      co_return co_await get_object(services_, std::move(call));
    case Verb::kUpdate:
      co_return co_await update_object(services_, std::move(call));
    case Verb::kPatch:
      co_return co_await patch_object(services_, std::move(call));
    case Verb::kDelete:
      co_return co_await delete_object(services_, std::move(call));
    default:
      co_return failure(method_not_allowed());
  }
}

Task<http::Response> get_scale(const Services& services, Call call) {
  auto item = co_await services.store.get(call.gvr(), call.key());
  if (!item) co_return failure(item.error());
  auto object = decode_item(*item);
  if (!object) co_return failure(object.error());
  co_return present_value(call, api::scale_of(object->as_object(), *call.resource));
}

// The parts of a Pod that are no parts of its object; nothing for the others.
std::optional<Task<http::Response>> ApiServer::answer_pod(Call& call) {
  const bool is_pod = call.resource->gvk.group.empty() && call.resource->gvk.kind == "Pod";
  const std::string& part = call.route.subresource;
  const bool creates = part == "binding" || part == "eviction";
  if (!is_pod || (part != "log" && !creates)) return std::nullopt;
  if (call.route.verb == Verb::kGet && part == "log")
    return get_log(services_, options_.logs, logs_, std::move(call));
  if (call.route.verb == Verb::kCreate && creates)
    return part == "binding" ? bind_pod(services_, std::move(call))
                             : evict_pod(services_, std::move(call));
  return std::nullopt;
}

Task<http::Response> ApiServer::answer_subresource(Call call) {
  if (auto answered = answer_pod(call)) co_return co_await std::move(*answered);
  for (const auto& part : subresources_of(*call.resource)) {
    if (part.name != call.route.subresource) continue;
    const bool of_object = part.name == "status" || part.name == "scale" || part.name == "finalize";
    if (!of_object) co_return failure(method_not_allowed());
    bool scale = part.name == "scale";
    // A Scale has no columns of its own.
    if (scale) call.accepted.form = Accepted::Form::kObject;
    bool finalize = part.name == "finalize";
    if (call.route.verb == Verb::kUpdate)
      co_return co_await update_object(services_, std::move(call));
    if (call.route.verb == Verb::kPatch && !finalize)
      co_return co_await patch_object(services_, std::move(call));
    if (call.route.verb != Verb::kGet || finalize) co_return failure(method_not_allowed());
    if (scale) co_return co_await get_scale(services_, std::move(call));
    co_return co_await get_object(services_, std::move(call));
  }
  co_return unknown_resource(services_.registry, call.route);
}

std::string ApiServer::version_page() const {
  const auto& version = options_.version;
  json::Object page{{"major", kKubernetesMajor},
                    {"minor", kKubernetesMinor},
                    {"gitVersion", fmt::format("v{}.{}.0+slipway-{}", kKubernetesMajor,
                                               kKubernetesMinor, version.program)},
                    {"gitCommit", version.commit},
                    {"gitTreeState", "clean"},
                    {"buildDate", version.built},
                    {"goVersion", "none"},
                    {"compiler", "clang"},
                    {"platform", "linux/amd64"}};
  return json::write(page, {.indent = 2}) + "\n";
}

}  // namespace

std::unique_ptr<http::Handler> make_api_server(Loop& loop, api::Registry& registry,
                                               store::Store& store, Options options,
                                               Metrics& metrics) {
  return std::make_unique<ApiServer>(loop, registry, store, std::move(options), metrics);
}

}  // namespace slipway::server
