#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/finalizer_names.h"
#include "api/rules/kind_rules.h"

// Namespaces, Leases and Events.
namespace slipway::api {

namespace {

constexpr std::string_view kNamespaceLabel = "kubernetes.io/metadata.name";

void default_namespace(json::Object& ns) {
  const std::string name(name_of(ns));
  if (!name.empty()) set_label(ns, kNamespaceLabel, name);
}

// A namespace is held by a finalizer of its own kind until its contents are gone. An update that
// says nothing of it keeps it; whoever empties the namespace writes an empty list.
void prepare_namespace(json::Object& ns, const json::Object* old) {
  json::Object* spec = member_object(ns, "spec");
  if (spec == nullptr) return;
  const Place before = old != nullptr ? Place::of(*old, "spec")["finalizers"] : Place(nullptr, "");
  if (old == nullptr) {
    json::Value& all = (*spec)["finalizers"];
    if (!all.is_array()) all.emplace_array();
    json::Array& names = all.get_array();
    if (std::ranges::find(names, json::Value("kubernetes")) == names.end())
      names.emplace_back("kubernetes");
  } else if (!spec->contains("finalizers") && before.present()) {
    (*spec)["finalizers"] = before.value();
  }
  if (json::Object* status = member_object(ns, "status")) default_text(*status, "phase", "Active");
}

void check_namespace(const json::Object& ns, const json::Object* old, Findings& findings) {
  check_namespace_status(ns, old, findings);
  const Place finalizers = Place::of(ns, "spec")["finalizers"];
  if (!finalizers.present() || !finalizers.value().is_array()) return;
  for (const json::Value& name : finalizers.value().get_array())
    if (const auto* text = name.if_string())
      check_namespace_finalizer("spec.finalizers", std::string(*text), findings);
}

void check_lease(const json::Object& lease, const json::Object*, Findings& findings) {
  const Place spec = Place::of(lease, "spec");
  const Place seconds = spec["leaseDurationSeconds"];
  if (seconds.present() && seconds.integer() <= 0)
    findings.invalid(seconds.path(), seconds.value(), "must be greater than 0");
  check_not_negative(spec["leaseTransitions"], findings);
  if (!spec["preferredHolder"].empty() && spec["strategy"].empty())
    findings.forbidden(spec["preferredHolder"].path(),
                       "may only be specified if `strategy` is defined");
}

struct TextLimit {
  std::string_view field;
  std::size_t bytes;
};

// Events written in the newer form, known by their eventTime, say who reports and why.
void check_new_event(const json::Object& event, Findings& findings) {
  check_name(Place::of(event, "reportingComponent"), qualified_name_problem, findings);
  for (const std::string_view field : {"reportingInstance", "action", "reason"})
    if (Place::of(event, field).empty()) findings.required(std::string(field));
  for (const TextLimit limit :
       {TextLimit{"reportingInstance", 128}, {"action", 128}, {"reason", 128}, {"message", 1024}})
    if (Place::of(event, limit.field).text().size() > limit.bytes)
      findings.invalid(std::string(limit.field), "",
                       fmt::format("can have at most {} characters", limit.bytes));
}

void check_event(const json::Object& event, const json::Object*, Findings& findings) {
  const Place involved = Place::of(event, "involvedObject")["namespace"];
  const std::string_view own = namespace_of(event);
  const bool newer = Place::of(event, "eventTime").present();
  const bool cluster_scoped = own == "default" || (newer ? own == "kube-system" : own.empty());
  const bool fits = involved.empty() ? cluster_scoped : newer || involved.text() == own;
  if (!fits)
    findings.invalid(involved.path(), json::Value(involved.text()),
                     "does not match event.namespace");
  if (newer) check_new_event(event, findings);
}

}  // namespace

KindRules namespace_rules() {
  return {
      .set_defaults = default_namespace, .prepare = prepare_namespace, .validate = check_namespace};
}
KindRules lease_rules() { return {.validate = check_lease}; }
KindRules event_rules() { return {.validate = check_event}; }

}  // namespace slipway::api
