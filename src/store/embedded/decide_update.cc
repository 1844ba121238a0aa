#include <fmt/format.h>

#include <algorithm>

#include "api/admit.h"
#include "api/apply/apply.h"
#include "api/object.h"
#include "api/rules/finalizer_names.h"
#include "api/rules/validate.h"
#include "api/scale.h"
#include "base/time.h"
#include "store/embedded/decide.h"
#include "store/embedded/kind_traits.h"
#include "store/embedded/wording.h"

namespace slipway::store {

namespace {

void copy_field(json::Object& to, const json::Object& from, std::string_view field) {
  if (const json::Value* value = from.if_contains(field)) {
    to[field] = *value;
  } else {
    json::erase(to, field);
  }
}

bool is_same_time(const json::Value& given, const json::Value* kept) {
  if (!given.is_string() || !kept || !kept->is_string()) return false;
  const auto one = parse_time(given.get_string()), other = parse_time(kept->get_string());
  return one && other && *one == *other;
}

// What an update can never change, whatever the request says.
void keep_system_metadata(json::Object& object, const json::Object& live) {
  json::Object& metadata = api::metadata_of(object);
  const json::Object* kept = api::metadata_of(live);
  for (std::string_view field : {"uid", "creationTimestamp", "generation", "resourceVersion"})
    copy_field(metadata, *kept, field);
  // Whoever leaves these out keeps them; whoever gives others is told that they cannot be changed.
  for (std::string_view field : {"deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const json::Value* given = metadata.if_contains(field);
    if (!given || given->is_null() || is_same_time(*given, kept->if_contains(field)))
      copy_field(metadata, *kept, field);
  }
  json::erase(metadata, "selfLink");
}

// The live object with the new one's status, and the managedFields that an apply has made. Of
// native kinds labels, annotations and finalizers come along, as upstream, but for a Deployment's
// labels.
json::Object with_status_of(const json::Object& object, const json::Object& live, bool applied,
                            const api::Resource& resource) {
  json::Object merged = live;
  copy_field(merged, object, "status");
  const json::Object* given = api::metadata_of(object);
  if (applied && given) copy_field(api::metadata_of(merged), *given, "managedFields");
  if (!given || !resource.native) return merged;
  const bool is_deployment = resource.gvk.group == "apps" && resource.gvk.kind == "Deployment";
  for (const std::string_view field : {"annotations", "finalizers", "labels"})
    if (field != "labels" || !is_deployment) copy_field(api::metadata_of(merged), *given, field);
  return merged;
}

Result<> check_no_new_finalizers(const json::Object& object, const json::Object& live,
                                 const Request& request) {
  if (!api::is_deleting(live)) return {};
  std::vector<std::string> old = api::finalizers_of(live);
  std::vector<std::string> added;
  for (const std::string& finalizer : api::finalizers_of(object)) {
    if (std::ranges::find(old, finalizer) == old.end())
      added.push_back(fmt::format("\"{}\"", finalizer));
  }
  if (added.empty()) return {};
  api::Findings findings;
  findings.forbidden(
      "metadata.finalizers",
      fmt::format("no new finalizers can be added if the object is being deleted, found new "
                  "finalizers []string{{{}}}",
                  fmt::join(added, ", ")));
  return fail(findings.error(request.resource.gvk, api::name_of(live)));
}

bool goes_now(const json::Object& object, const json::Object& live, const api::Resource& resource) {
  if (!api::is_deleting(live) || !api::finalizers_of(object).empty()) return false;
  const json::Value* grace = api::metadata_of(live)->if_contains("deletionGracePeriodSeconds");
  if (grace && grace->is_number() && grace->to_number<std::int64_t>() != 0) return false;
  if (!is_namespace(resource)) return true;
  const json::Value* spec = object.if_contains("spec");
  const json::Value* finalizers =
      spec && spec->is_object() ? spec->as_object().if_contains("finalizers") : nullptr;
  return !finalizers || !finalizers->is_array() || finalizers->as_array().empty();
}

Result<> check_finalize_form(const json::Object& object) {
  const auto wrong = [](std::string_view field, std::string_view type) {
    return fail(ErrorCode::kBadRequest,
                fmt::format("Namespace in version \"v1\" cannot be handled as a Namespace: json: "
                            "cannot unmarshal value into Go struct field {} of type {}",
                            field, type));
  };
  const json::Value* spec = object.if_contains("spec");
  if (!spec || spec->is_null()) return {};
  if (!spec->is_object()) return wrong("Namespace.spec", "v1.NamespaceSpec");
  const json::Value* list = spec->get_object().if_contains("finalizers");
  if (!list || list->is_null()) return {};
  if (!list->is_array() || !std::ranges::all_of(list->get_array(), &json::Value::is_string))
    return wrong("NamespaceSpec.spec.finalizers", "[]v1.FinalizerName");
  return {};
}

json::Object with_spec_finalizers_of(const json::Object& object, const json::Object& live) {
  json::Value merged = live;
  const json::Value* spec = object.if_contains("spec");
  json::Object& target = json::object_at(merged, {"spec"});
  if (spec && spec->is_object()) {
    copy_field(target, spec->as_object(), "finalizers");
  } else {
    json::erase(target, "finalizers");
  }
  return std::move(merged.as_object());
}

Result<> check_spec_finalizers(const json::Object& ns, const Request& request) {
  const json::Value value = ns;
  const json::Value* list = json::at(value, {"spec", "finalizers"});
  if (!list || !list->is_array()) return {};
  api::Findings findings;
  for (std::size_t i = 0; i < list->get_array().size(); ++i)
    if (const auto* name = list->get_array()[i].if_string())
      api::check_namespace_finalizer(fmt::format("spec.finalizers[{}]", i), std::string(*name),
                                     findings);
  if (findings.empty()) return {};
  return fail(findings.error(request.resource.gvk, api::name_of(ns)));
}

}  // namespace

Result<> check_preconditions(const json::Object& object, const json::Object& live,
                             const Request& request) {
  const api::Resource& resource = request.resource;
  bool may_be_blind = allows_blind_update(resource) || request.options.subresource == "scale";
  std::string_view name = api::name_of(live);
  std::string_view uid = api::uid_of(object);
  if (!uid.empty() && uid != api::uid_of(live)) {
    // A precondition of those who send the whole object; a patch would change it.
    if (request.sent != Sent::kObject && request.options.subresource != "scale") {
      api::Findings findings;
      for (int i = 0; i < 2; ++i)  // upstream looks twice
        findings.invalid("metadata.uid", json::Value(uid), "field is immutable");
      return fail(findings.error(resource.gvk, name));
    }
    std::string what = group_resource(resource);
    if (request.options.subresource == "scale") what.insert(resource.plural.size(), "/scale");
    return conflict(
        what, name,
        fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                    api::uid_of(live)));
  }
  Version seen = api::version_of(object);
  if (seen == 0 && !may_be_blind) {
    api::Findings findings;
    // Upstream names the resource here instead of the kind.
    findings.invalid("metadata.resourceVersion", json::Value(0), "must be specified for an update");
    api::Gvk named = resource.gvk;
    named.kind = resource.plural;
    return fail(findings.error(named, name));
  }
  if (seen != 0 && seen != api::version_of(live))
    return conflict(group_resource(resource), name, kModified);
  return {};
}

Result<> check_subresource(const Request& request) {
  const std::string& wanted = request.options.subresource;
  const api::Resource& resource = request.resource;
  if (wanted.empty() || (wanted == "status" && resource.status_subresource) ||
      (wanted == "scale" && resource.scale) || (wanted == "finalize" && is_namespace(resource)) ||
      (wanted == "binding" && is_pod(resource))) {
    return {};
  }
  return no_such_kind();
}

Result<Decision> conclude_update(json::Object object, const json::Object& live,
                                 const Request& request, bool applied) {
  const api::Resource& resource = request.resource;
  const std::string& subresource = request.options.subresource;
  SLIPWAY_TRY(check_preconditions(object, live, request));
  if (subresource == "status") {
    object = with_status_of(object, live, applied, request.resource);
  } else if (subresource == "finalize") {
    SLIPWAY_TRY(check_finalize_form(object));
    object = with_spec_finalizers_of(object, live);
    SLIPWAY_TRY(check_spec_finalizers(object, request));
  } else {
    keep_system_metadata(object, live);
    if (resource.status_subresource) copy_field(object, live, "status");
    // A Namespace's spec is its finalizers, which change under "finalize" and nowhere else.
    if (is_namespace(resource)) copy_field(object, live, "spec");
  }
  SLIPWAY_TRY(check_no_new_finalizers(object, live, request));
  if (subresource != "finalize") SLIPWAY_TRY(admit_tracked(object, &live, request, applied));
  if (subresource != "status" && raises_generation(object, live, resource)) {
    api::metadata_of(object)["generation"] = api::generation_of(live) + 1;
  }
  api::keep_times(live, object);
  if (goes_now(object, live, resource)) return Decision{Outcome::kErase, std::move(object)};
  if (same_object(object, live)) return Decision{Outcome::kUnchanged, std::move(object)};
  return Decision{Outcome::kPut, std::move(object)};
}

Result<Decision> decide_update(json::Object object, const Key& key, const json::Object& live,
                               const Request& request) {
  SLIPWAY_TRY(check_subresource(request));
  if (request.options.subresource == "scale") {
    SLIPWAY_TRY(check_preconditions(object, live, request));
    json::Object scaled = live;
    SLIPWAY_TRY(api::set_scale(scaled, object, request.resource));
    return conclude_update(std::move(scaled), live, request, false);
  }
  if (request.options.subresource == "binding") return decide_bind(object, live, request);
  SLIPWAY_TRY(fit_to_request(object, key, request));
  return conclude_update(std::move(object), live, request, false);
}

}  // namespace slipway::store
