#include <algorithm>

#include "api/object.h"
#include "api/rules/kind_rules.h"

// What Deployments, ReplicaSets, Namespaces and Pods may say of their own state.
namespace slipway::api {

namespace {

constexpr const char* kOverReplicas = "cannot be greater than status.replicas";
constexpr const char* kNotNatural = "must be a non-negative integer";

// What is missing counts as 0, and is shown as it.
void check_at_most(const Place& place, const Place& limit, const char* detail, Findings& findings) {
  if (place.integer() > limit.integer())
    findings.invalid(place.path(), json::Value(place.integer()), detail);
}

void check_availability(const Place& status, Findings& findings) {
  for (const std::string_view field : {"readyReplicas", "availableReplicas"})
    check_at_most(status[field], status["replicas"], kOverReplicas, findings);
  check_at_most(status["availableReplicas"], status["readyReplicas"],
                "cannot be greater than readyReplicas", findings);
}

bool is_decremented(const Place& now, const Place& before) {
  return before.present() && (!now.present() || now.integer() < before.integer());
}

void check_pod_conditions(const Place& conditions, Findings& findings) {
  for (const Place& condition : conditions.items()) {
    const Place seen = condition["observedGeneration"];
    if (seen.integer() < 0) findings.invalid(seen.path(), seen.value(), kNotNatural);
    const std::string_view type = condition["type"].text();
    if (std::string problem = qualified_name_problem(type); !problem.empty())
      findings.invalid(condition["Type"].path(), json::Value(type), std::move(problem));
  }
}

bool may_restart(const Place& before, std::string_view policy) {
  if (policy == "Always") return true;
  return policy == "OnFailure" && before["state"]["terminated"]["exitCode"].integer() != 0;
}

bool is_sidecar(const Place& containers, std::string_view name) {
  const std::vector<Place> all = containers.items();
  return std::ranges::any_of(all, [&](const Place& container) {
    return container["name"].text() == name && container["restartPolicy"].text() == "Always";
  });
}

// A container that has ended for good does not run again. Paths count in the old list.
void check_transitions(const Place& now, const Place& before, std::string_view policy,
                       const Place& sidecars, Findings& findings) {
  for (const Place& old : before.items()) {
    const std::string_view name = old["name"].text();
    if (!old["state"]["terminated"].present() || may_restart(old, policy)) continue;
    if (is_sidecar(sidecars, name)) continue;
    for (const Place& status : now.items())
      if (status["name"].text() == name && !status["state"]["terminated"].present())
        findings.forbidden(old["state"].path(), "may not be transitioned to non-terminated state");
  }
}

void check_addresses(const Place& now, const Place& before, Findings& findings) {
  const std::vector<Place> kept = before.items();
  for (const Place& item : now.items()) {
    const std::string_view ip = item["ip"].text();
    const bool was_there =
        std::ranges::any_of(kept, [&](const Place& old) { return old["ip"].text() == ip; });
    if (!was_there && !is_ip(ip))
      findings.invalid(item.path(), json::Value(ip), std::string(kNoAddress));
  }
}

}  // namespace

bool changes_status(const json::Object& object, const json::Object* old) {
  return old != nullptr &&
         !same_when_stored(Place::of(object, "status").value(), Place::of(*old, "status").value());
}

void check_deployment_status(const json::Object& object, const json::Object* old,
                             Findings& findings) {
  if (!changes_status(object, old)) return;
  const Place status = Place::of(object, "status");
  for (const std::string_view field :
       {"observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas",
        "unavailableReplicas", "terminatingReplicas", "collisionCount"})
    check_not_negative(status[field], findings);
  check_at_most(status["updatedReplicas"], status["replicas"], kOverReplicas, findings);
  check_availability(status, findings);
  const Place count = status["collisionCount"];
  if (is_decremented(count, Place::of(*old, "status")["collisionCount"]))
    findings.invalid(count.path(), json::Value(count.integer()), "cannot be decremented");
}

void check_replica_set_status(const json::Object& object, const json::Object* old,
                              Findings& findings) {
  if (!changes_status(object, old)) return;
  const Place status = Place::of(object, "status");
  for (const std::string_view field :
       {"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas",
        "observedGeneration", "terminatingReplicas"})
    check_not_negative(status[field], findings);
  check_at_most(status["fullyLabeledReplicas"], status["replicas"], kOverReplicas, findings);
  check_availability(status, findings);
}

void check_namespace_status(const json::Object& ns, const json::Object* old, Findings& findings) {
  if (!changes_status(ns, old)) return;
  const std::string_view phase = Place::of(ns, "status")["phase"].text();
  if (!is_deleting(ns) && phase != "Active")
    findings.invalid("status.Phase", json::Value(phase),
                     "may only be 'Active' if `deletionTimestamp` is empty");
  if (is_deleting(ns) && phase != "Terminating")
    findings.invalid("status.Phase", json::Value(phase),
                     "may only be 'Terminating' if `deletionTimestamp` is not empty");
}

void check_pod_status(const json::Object& pod, const json::Object* old, Findings& findings) {
  if (!changes_status(pod, old)) return;
  const Place now = Place::of(pod, "status");
  const Place before = Place::of(*old, "status");
  check_pod_conditions(now["conditions"], findings);
  const Place node = now["nominatedNodeName"];
  if (!node.empty() && node.text() != before["nominatedNodeName"].text())
    check_name(node, dns_subdomain_problem, findings);
  if (now["observedGeneration"].integer() < 0)
    findings.invalid(now["observedGeneration"].path(), now["observedGeneration"].value(),
                     kNotNatural);
  check_immutable(now["qosClass"], before["qosClass"], findings);
  const Place spec = Place::of(*old, "spec");
  const std::string_view policy = spec["restartPolicy"].text();
  check_transitions(now["containerStatuses"], before["containerStatuses"], policy,
                    Place(nullptr, ""), findings);
  check_transitions(now["initContainerStatuses"], before["initContainerStatuses"], policy,
                    spec["initContainers"], findings);
  check_transitions(now["ephemeralContainerStatuses"], before["ephemeralContainerStatuses"],
                    "Never", Place(nullptr, ""), findings);
  check_addresses(now["podIPs"], before["podIPs"], findings);
  const std::vector<Place> hosts = now["hostIPs"].items();
  if (!hosts.empty() && hosts[0]["ip"].text() != now["hostIP"].text())
    findings.invalid(hosts[0]["ip"].path(), json::Value(hosts[0]["ip"].text()),
                     "must be equal to `hostIP`");
  check_addresses(now["hostIPs"], before["hostIPs"], findings);
}

}  // namespace slipway::api
