#include "server/reviews.h"

#include <algorithm>

#include "api/rules/validate.h"
#include "server/body.h"
#include "server/present.h"
#include "server/status.h"

namespace slipway::server {
namespace {

json::Array strings(std::initializer_list<std::string_view> texts) {
  json::Array array;
  for (auto text : texts) array.push_back(json::Value(text));
  return array;
}

Result<Access> access_asked(const json::Value& review) {
  const auto* resource = json::at(review, {"spec", "resourceAttributes"});
  const auto* path = json::at(review, {"spec", "nonResourceAttributes"});
  if ((resource != nullptr) == (path != nullptr)) {
    api::Findings findings;
    findings.invalid(
        "spec.resourceAttributes", nullptr,
        "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    return fail(findings.error({"authorization.k8s.io", "v1", ""}, ""));
  }
  if (path)
    return Access{.verb = std::string(json::string_at(*path, {"verb"})),
                  .path = std::string(json::string_at(*path, {"path"}))};
  return Access{.verb = std::string(json::string_at(*resource, {"verb"})),
                .group = std::string(json::string_at(*resource, {"group"})),
                .resource = std::string(json::string_at(*resource, {"resource"})),
                .subresource = std::string(json::string_at(*resource, {"subresource"})),
                .ns = std::string(json::string_at(*resource, {"namespace"})),
                .name = std::string(json::string_at(*resource, {"name"}))};
}

http::Response access_review(const Call& call, json::Object review) {
  json::Value value(std::move(review));
  auto access = access_asked(value);
  if (!access) return failure(access.error());
  value.as_object()["status"] = json::Object{{"allowed", may(call.user.role, *access)}};
  return present_value(call, value, 201);
}

json::Object rule(json::Array verbs, json::Array groups, json::Array resources) {
  return {{"verbs", std::move(verbs)},
          {"apiGroups", std::move(groups)},
          {"resources", std::move(resources)}};
}

// Every served kind that view may read, group by group: a rule cannot say "all but Secrets".
json::Array view_rules(const api::Registry& registry) {
  json::Array rules;
  std::map<std::string, json::Array> readable;
  for (const auto& resource : registry.all()) {
    if (!resource->stored) continue;
    Access access{.verb = "get", .group = resource->gvk.group, .resource = resource->plural};
    auto& plurals = readable[resource->gvk.group];
    bool listed = std::ranges::find(plurals, json::Value(resource->plural)) != plurals.end();
    if (may(Role::kView, access) && !listed) plurals.push_back(json::Value(resource->plural));
  }
  for (auto& [group, plurals] : readable)
    rules.push_back(rule(strings({"get", "list", "watch"}), strings({group}), std::move(plurals)));
  rules.push_back(rule(strings({"create"}), strings({"authorization.k8s.io"}),
                       strings({"selfsubjectaccessreviews", "selfsubjectrulesreviews"})));
  rules.push_back(rule(strings({"create"}), strings({"authentication.k8s.io"}),
                       strings({"selfsubjectreviews"})));
  return rules;
}

http::Response rules_review(const Services& services, const Call& call, json::Object review) {
  json::Value value(std::move(review));
  if (json::string_at(value, {"spec", "namespace"}).empty())
    return failure({.code = ErrorCode::kBadRequest, .message = "no namespace on request"});
  bool admin = call.user.role == Role::kAdmin;
  json::Array resources;
  if (admin) {
    resources.push_back(rule(strings({"*"}), strings({"*"}), strings({"*"})));
  } else {
    resources = view_rules(services.registry);
  }
  json::Array paths{json::Object{{"verbs", admin ? strings({"*"}) : strings({"get"})},
                                 {"nonResourceURLs", strings({"*"})}}};
  value.as_object()["status"] = json::Object{{"resourceRules", std::move(resources)},
                                             {"nonResourceRules", std::move(paths)},
                                             {"incomplete", false}};
  return present_value(call, value, 201);
}

http::Response self_review(const Services& services, const Call& call, json::Object review) {
  json::Array groups;
  for (const auto& group : call.user.groups) groups.push_back(json::Value(group));
  review["metadata"] =
      json::Object{{"creationTimestamp", format_time(services.loop.clock().now())}};
  review["status"] =
      json::Object{{"userInfo", json::Object{{"username", call.user.name}, {"groups", groups}}}};
  return present_value(call, json::Value(std::move(review)), 201);
}

}  // namespace

http::Response answer_review(const Services& services, const Call& call) {
  auto body = read_object(services.registry, call, call.resource->gvk);
  if (!body) return failure(body.error());
  const auto& kind = call.resource->gvk.kind;
  if (kind == "SelfSubjectAccessReview") return access_review(call, std::move(body->object));
  if (kind == "SelfSubjectRulesReview")
    return rules_review(services, call, std::move(body->object));
  if (kind == "SelfSubjectReview") return self_review(services, call, std::move(body->object));
  return unknown_path();
}

}  // namespace slipway::server
