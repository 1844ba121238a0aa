#pragma once

#include "api/registry.h"
#include "api/rules/place.h"

// The rules of single kinds (api/rules/rules.h chooses), and what several of them share. Facts,
// wording and order are those of Kubernetes 1.34's defaulting and validation. Words limited by the
// table's enums are checked from there, not here.
namespace slipway::api {

KindRules pod_rules();
KindRules pod_template_rules();
KindRules deployment_rules();
KindRules replica_set_rules();
KindRules job_rules();
KindRules service_rules();
KindRules endpoints_rules();
KindRules endpoint_slice_rules();
KindRules ingress_rules();
KindRules config_map_rules();
KindRules secret_rules();
KindRules namespace_rules();
KindRules lease_rules();
KindRules event_rules();
KindRules gateway_rules();
KindRules http_route_rules();

// Pod specs, alone and inside templates.
void default_pod_spec(json::Object& spec);
void check_pod_spec(const Place& spec, Findings& findings);
// Labels, annotations and spec of a template.
void check_pod_template(const Place& pod_template, Findings& findings);
// As ReplicaSets need them: the selector is there, not empty and matches, and Pods restart always.
void check_selector_and_template(const Place& spec, Findings& findings);
void check_label_selector(const Place& selector, Findings& findings);
void check_labels(const Place& labels, Findings& findings);
// All containers of one list. `taken` holds the names used before and gets those of this list.
struct PodContext {
  std::vector<std::string> volumes = {};
  std::vector<std::string> taken = {};
  std::optional<std::int64_t> grace_seconds = {};
};
void check_containers(const Place& containers, bool init, PodContext& context, Findings& findings);
void check_volumes(const Place& volumes, PodContext& context, Findings& findings);
// A path within a volume, which must not lead out of it. `field`: where Kubernetes says it is.
void check_path_below(const Place& path, const std::string& field, Findings& findings);
void check_env(const Place& container, Findings& findings);
void check_probes(const Place& container, const PodContext& context, Findings& findings);
void check_resources(const Place& resources, Findings& findings);

// The status that an update writes; one that leaves it as it was passes. `old` is null on create,
// when there is none yet.
void check_deployment_status(const json::Object& object, const json::Object* old,
                             Findings& findings);
void check_replica_set_status(const json::Object& object, const json::Object* old,
                              Findings& findings);
void check_job_status(const json::Object& job, const json::Object* old, Findings& findings);
void check_pod_status(const json::Object& pod, const json::Object* old, Findings& findings);
void check_namespace_status(const json::Object& ns, const json::Object* old, Findings& findings);
bool changes_status(const json::Object& object, const json::Object* old);

bool is_ip(std::string_view text);
inline constexpr std::string_view kNoAddress =
    "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

// 25% and the like: the number before the sign, or the plain number. Texts that are neither count
// as 0.
std::int64_t int_or_percent(const json::Value& value);
inline constexpr std::string_view kNoPercent =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
    "'93%', regex used for validation is '[0-9]+%')";
bool is_percent(std::string_view text);

// Defaulting of single fields. Texts: when missing, null or empty. Numbers: when missing or null,
// and with `zero` also when 0.
void default_text(json::Object& object, std::string_view field, std::string_view text);
void default_number(json::Object& object, std::string_view field, std::int64_t number,
                    bool zero = false);
void default_flag(json::Object& object, std::string_view field, bool flag);
// The object in a field, made when missing or null; null pointer when the field is of another type.
json::Object* member_object(json::Object& object, std::string_view field);
// The objects of a list in a field.
std::vector<json::Object*> member_objects(json::Object& object, std::string_view field);
// Like member_object, but null pointer when missing.
json::Object* existing_object(json::Object& object, std::string_view field);

}  // namespace slipway::api
