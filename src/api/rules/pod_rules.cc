#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"

// Pods: what is beyond their containers, and what an update may change.
namespace slipway::api {

namespace {

constexpr std::string_view kMutableFields =
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec."
    "tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously "
    "negative)";

// Of a Pod alone, not of templates: what limits say and requests do not.
void default_requests(json::Object& container) {
  json::Object* resources = existing_object(container, "resources");
  json::Object* limits = resources != nullptr ? existing_object(*resources, "limits") : nullptr;
  if (limits == nullptr) return;
  const json::Object amounts = *limits;  // adding requests moves the limits
  json::Object* requests = member_object(*resources, "requests");
  if (requests == nullptr) return;
  for (const auto& [name, amount] : amounts)
    if (!requests->contains(name)) (*requests)[name] = amount;
}

void default_pod(json::Object& pod) {
  json::Object* spec = member_object(pod, "spec");
  if (spec == nullptr) return;
  const json::Value* network = spec->if_contains("hostNetwork");
  for (const std::string_view list : {"initContainers", "containers"})
    for (json::Object* container : member_objects(*spec, list)) {
      default_requests(*container);
      if (network == nullptr || !network->is_bool() || !network->get_bool()) continue;
      for (json::Object* port : member_objects(*container, "ports"))
        if (port->contains("containerPort"))
          default_number(*port, "hostPort", Place(&port->at("containerPort"), "").integer(), true);
    }
  default_flag(*spec, "enableServiceLinks", true);
  default_pod_spec(*spec);
}

// How the Pod's memory and cpu are promised, as `kubectl describe` shows it.
std::string_view service_class(const Place& spec) {
  bool guaranteed = true;
  bool best_effort = true;
  for (const std::string_view list : {"initContainers", "containers"})
    for (const Place& container : spec[list].items())
      for (const std::string_view name : {"cpu", "memory"}) {
        const Place limit = container["resources"]["limits"].key(name);
        const Place request = container["resources"]["requests"].key(name);
        best_effort = best_effort && !limit.present() && !request.present();
        guaranteed = guaranteed && limit.present() && json::same(limit.value(), request.value());
      }
  return best_effort ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

void add_toleration(json::Object& spec, std::string_view key) {
  json::Value& list = spec["tolerations"];
  if (!list.is_array()) list = json::Array();
  for (const json::Value& toleration : list.get_array()) {
    const Place place(&toleration, "");
    const bool matches_key = place["key"].text() == key || place["key"].empty();
    if (matches_key && (place["effect"].text() == "NoExecute" || place["effect"].empty())) return;
  }
  list.get_array().push_back(
      {{"effect", "NoExecute"}, {"key", key}, {"operator", "Exists"}, {"tolerationSeconds", 300}});
}

// A status written without it keeps it.
void keep_service_class(json::Object& pod, const json::Object& old) {
  const Place before = Place::of(old, "status")["qosClass"];
  if (before.empty()) return;
  if (json::Object* status = member_object(pod, "status"))
    default_text(*status, "qosClass", before.text());
}

// What a Pod got when it was made or given a node is in no manifest: who writes one anew leaves it.
void keep_given(json::Object& spec, const Place& before) {
  for (const std::string_view field : {"priority", "preemptionPolicy", "nodeName"})
    if (before[field].present() && Place(spec.if_contains(field), "").empty())
      spec[field] = before[field].value();
}

// podIP is the first of podIPs, and counts where the two differ.
void pair_addresses(json::Object& pod) {
  json::Object* status = existing_object(pod, "status");
  if (status == nullptr) return;
  const Place single(status->if_contains("podIP"), "");
  const std::vector<Place> list = Place(status->if_contains("podIPs"), "").items();
  const std::string first(list.empty() ? std::string_view() : list[0]["ip"].text());
  if (single.empty() && !first.empty()) {
    (*status)["podIP"] = first;
  } else if (!single.empty() && single.text() != first) {
    const std::string address(single.text());
    (*status)["podIPs"] = json::Array{json::Object{{"ip", address}}};
  }
}

// What the API server's own admission adds to every new Pod (priority, tolerations), and its first
// status.
void prepare_pod(json::Object& pod, const json::Object* old) {
  json::Object* spec = existing_object(pod, "spec");
  if (spec == nullptr) return;
  add_toleration(*spec, "node.kubernetes.io/not-ready");
  add_toleration(*spec, "node.kubernetes.io/unreachable");
  pair_addresses(pod);
  if (old != nullptr) {
    keep_given(*spec, Place::of(*old, "spec"));
    return keep_service_class(pod, *old);
  }
  default_number(*spec, "priority", 0);
  default_text(*spec, "preemptionPolicy", "PreemptLowerPriority");
  json::Object* status = member_object(pod, "status");
  if (status == nullptr) return;
  (*status)["phase"] = "Pending";
  (*status)["qosClass"] = service_class(Place::of(pod, "spec"));
}

// The new spec with everything an update may change put back.
json::Value without_mutable_fields(const Place& now, const Place& before) {
  json::Value spec = now.value();
  json::Object& fields = spec.get_object();
  for (const std::string_view list : {"containers", "initContainers"}) {
    const std::vector<Place> olds = before[list].items();
    const std::vector<json::Object*> news = member_objects(fields, list);
    for (std::size_t i = 0; i < std::min(olds.size(), news.size()); ++i)
      (*news[i])["image"] = olds[i]["image"].value();
  }
  for (const std::string_view field : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
    if (before[field].present())
      fields[field] = before[field].value();
    else
      json::erase(fields, field);
  }
  return spec;
}

// Each toleration as one text, but for how long.
std::set<std::string> tolerated_by(const Place& spec) {
  std::set<std::string> texts;
  for (const Place& toleration : spec["tolerations"].items()) {
    std::string text;
    for (const std::string_view field : {"key", "operator", "value", "effect"})
      json::append_string(text, toleration[field].text());
    texts.insert(std::move(text));
  }
  return texts;
}

void check_pod_update(const Place& now, const Place& before, Findings& findings) {
  for (const std::string_view list : {"containers", "initContainers"})
    if (now[list].size() != before[list].size())
      return findings.forbidden(now[list].path(), "pod updates may not add or remove containers");
  const Place deadline = now["activeDeadlineSeconds"];
  const Place old_deadline = before["activeDeadlineSeconds"];
  if (deadline.present() && old_deadline.present() && deadline.integer() > old_deadline.integer())
    findings.invalid(deadline.path(), deadline.value(),
                     "must be less than or equal to previous value");
  if (!deadline.present() && old_deadline.present())
    findings.invalid(deadline.path(), nullptr,
                     "must not update from a positive integer to nil value");
  if (!std::ranges::includes(tolerated_by(now), tolerated_by(before)))
    return findings.forbidden(
        now["tolerations"].path(),
        "existing toleration can not be modified except its tolerationSeconds");
  if (!same_when_stored(without_mutable_fields(now, before), before.value()))
    findings.forbidden(
        now.path(), fmt::format("pod updates may not change fields other than {}", kMutableFields));
}

void check_pod(const json::Object& pod, const json::Object* old, Findings& findings) {
  const Place spec = Place::of(pod, "spec");
  check_pod_spec(spec, findings);
  for (const std::string_view list : {"containers", "initContainers"})
    for (const Place& container : spec[list].items()) {
      const std::string_view image = container["image"].text();
      if (image.starts_with(' ') || image.ends_with(' '))
        findings.invalid(container["image"].path(), container["image"].value(),
                         "must not have leading or trailing whitespace");
    }
  if (old != nullptr && spec.present()) check_pod_update(spec, Place::of(*old, "spec"), findings);
  check_pod_status(pod, old, findings);
}

void check_optional_name(const Place& place, std::string (*problem)(std::string_view),
                         Findings& findings) {
  if (!place.empty()) check_name(place, problem, findings);
}

}  // namespace

void check_pod_spec(const Place& spec, Findings& findings) {
  PodContext context;
  if (spec["terminationGracePeriodSeconds"].present())
    context.grace_seconds = spec["terminationGracePeriodSeconds"].integer();
  check_volumes(spec["volumes"], context, findings);
  check_containers(spec["containers"], false, context, findings);
  check_containers(spec["initContainers"], true, context, findings);
  check_labels(spec["nodeSelector"], findings);
  check_optional_name(spec["serviceAccountName"], dns_subdomain_problem, findings);
  check_optional_name(spec["nodeName"], dns_subdomain_problem, findings);
  const Place deadline = spec["activeDeadlineSeconds"];
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (deadline.present() && (deadline.integer() < 1 || deadline.integer() > kMost))
    findings.invalid(deadline.path(), deadline.value(),
                     fmt::format("must be between 1 and {}, inclusive", kMost));
  check_optional_name(spec["hostname"], dns_label_problem, findings);
  check_optional_name(spec["subdomain"], dns_label_problem, findings);
}

KindRules pod_rules() {
  return {.set_defaults = default_pod, .prepare = prepare_pod, .validate = check_pod};
}

}  // namespace slipway::api
