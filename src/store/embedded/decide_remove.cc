#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/object.h"
#include "store/embedded/decide.h"
#include "store/embedded/definitions.h"
#include "store/embedded/kind_traits.h"
#include "store/embedded/wording.h"

namespace slipway::store {

namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
// What a Pod may be given to end. Now and this is a time that can be written.
constexpr std::int64_t kMaxGraceSeconds = std::int64_t{100} * 365 * 24 * 3600;
constexpr std::array<std::string_view, 3> kImmortalNamespaces = {"default", "kube-system",
                                                                 "kube-public"};

Result<> check_preconditions(const json::Object& live, const Removal& removal) {
  const DeleteOptions& options = removal.options;
  std::string_view name = api::name_of(live);
  std::string_view uid = api::uid_of(live);
  Version version = api::version_of(live);
  bool special = is_namespace(removal.resource) || is_definition(removal.resource);
  // Upstream names the kind here, where it names the resource everywhere else.
  std::string what = special ? group_resource(removal.resource)
                     : removal.resource.gvk.group.empty()
                         ? removal.resource.gvk.kind
                         : removal.resource.gvk.kind + "." + removal.resource.gvk.group;
  if (!options.if_uid.empty() && options.if_uid != uid) {
    return conflict(
        what, name,
        special
            ? fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}",
                          options.if_uid, uid)
            : fmt::format("the UID in the precondition ({}) does not match the UID in record "
                          "({}). The object might have been deleted and then recreated",
                          options.if_uid, uid));
  }
  if (options.if_version && *options.if_version != version) {
    return conflict(
        what, name,
        special ? fmt::format("Precondition failed: ResourceVersion in precondition: {}, "
                              "ResourceVersion in object meta: {}",
                              *options.if_version, version)
                : fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                              "ResourceVersion in record ({}). The object might have been modified",
                              *options.if_version, version));
  }
  return {};
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

// The finalizers for the garbage collector: what the request says, else what the object has, else
// the kind's default.
std::vector<std::string> finalizers_for(const json::Object& live, const Removal& removal) {
  std::vector<std::string> finalizers = api::finalizers_of(live);
  Dependents dependents = default_dependents(removal.resource);
  bool orphan = dependents == Dependents::kOrphan;
  bool foreground = false;
  if (removal.options.propagation) {
    orphan = *removal.options.propagation == Propagation::kOrphan;
    foreground = *removal.options.propagation == Propagation::kForeground;
  } else if (contains(finalizers, kOrphan) || contains(finalizers, kForeground)) {
    orphan = contains(finalizers, kOrphan);
    foreground = !orphan;
  }
  std::erase_if(finalizers, [](const std::string& f) { return f == kOrphan || f == kForeground; });
  if (dependents == Dependents::kUnsupported) return finalizers;
  if (orphan) finalizers.emplace_back(kOrphan);
  if (foreground) finalizers.emplace_back(kForeground);
  return finalizers;
}

void set_or_drop_finalizers(json::Object& object, const std::vector<std::string>& finalizers) {
  if (finalizers.empty()) {
    json::erase(api::metadata_of(object), "finalizers");
  } else {
    api::set_finalizers(object, finalizers);
  }
}

void raise_generation(json::Object& object) {
  if (std::int64_t generation = api::generation_of(object); generation > 0) {
    api::metadata_of(object)["generation"] = generation + 1;
  }
}

std::int64_t grace_of(const json::Object& object) {
  const json::Value* grace = api::metadata_of(object)->if_contains("deletionGracePeriodSeconds");
  return grace && grace->is_int64()
             ? std::clamp<std::int64_t>(grace->as_int64(), 0, kMaxGraceSeconds)
             : 0;
}

void set_deletion(json::Object& object, Time at, std::int64_t grace_seconds) {
  json::Object& metadata = api::metadata_of(object);
  metadata["deletionTimestamp"] = format_time(at);
  metadata["deletionGracePeriodSeconds"] = grace_seconds;
}

// How long a Pod may take: not at all when it never ran or is over.
std::int64_t pod_grace(const json::Object& pod, const Removal& removal) {
  json::Value value = pod;
  if (json::string_at(value, {"spec", "nodeName"}).empty()) return 0;
  std::string_view phase = json::string_at(value, {"status", "phase"});
  if (phase == "Failed" || phase == "Succeeded") return 0;
  std::int64_t grace = 0;
  const json::Value* period = json::at(value, {"spec", "terminationGracePeriodSeconds"});
  if (period && period->is_int64()) grace = period->as_int64();
  grace = removal.options.grace_seconds.value_or(grace);
  return grace < 0 ? 1 : std::min(grace, kMaxGraceSeconds);
}

enum class Grace { kNone, kStarted, kPending };

// Sets or shortens the grace period of a Pod. kPending: one is running and this request does not
// shorten it.
Grace decide_grace(json::Object& pod, const Removal& removal) {
  if (!api::is_deleting(pod)) {
    std::int64_t grace = pod_grace(pod, removal);
    set_deletion(pod, removal.now + std::chrono::seconds(grace), grace);
    raise_generation(pod);
    return Grace::kStarted;
  }
  std::int64_t running = grace_of(pod);
  if (running == 0) return Grace::kNone;
  if (!removal.options.grace_seconds) return Grace::kPending;
  std::int64_t wanted = *removal.options.grace_seconds < 0 ? 1 : *removal.options.grace_seconds;
  if (wanted >= running) return Grace::kPending;
  const Time due = api::deletion_time_of(pod).value_or(removal.now);
  Time end = std::max(due, removal.now) - std::chrono::seconds(running - wanted);
  if (end < removal.now) {
    end = removal.now;
    if (wanted != 0) wanted = 1;
  }
  set_deletion(pod, end, wanted);
  return Grace::kStarted;
}

Decision put_if_changed(json::Object object, const json::Object& live) {
  Outcome outcome = same_object(object, live) ? Outcome::kUnchanged : Outcome::kPut;
  return {outcome, std::move(object)};
}

Decision decide_generic(const json::Object& live, const Removal& removal) {
  json::Object object = live;
  Grace grace = is_pod(removal.resource) ? decide_grace(object, removal) : Grace::kNone;
  if (grace == Grace::kPending) return {Outcome::kUnchanged, std::move(object)};
  std::vector<std::string> finalizers = finalizers_for(object, removal);
  if (grace == Grace::kNone && finalizers.empty()) return {Outcome::kErase, std::move(object)};
  set_or_drop_finalizers(object, finalizers);
  if (grace == Grace::kStarted) {
    bool goes = finalizers.empty() && grace_of(object) == 0;
    return goes ? Decision{Outcome::kErase, std::move(object)}
                : put_if_changed(std::move(object), live);
  }
  if (!api::is_deleting(object)) raise_generation(object);
  std::optional<Time> before = api::deletion_time_of(object);
  set_deletion(object, before && *before <= removal.now ? *before : removal.now, 0);
  return put_if_changed(std::move(object), live);
}

// A Namespace stays until its controller has emptied it and taken spec.finalizers away.
Decision decide_namespace(const json::Object& live, const Removal& removal) {
  if (!api::is_deleting(live)) {
    json::Value value = live;
    json::Object& object = value.as_object();
    api::metadata_of(object)["deletionTimestamp"] = format_time(removal.now);
    json::object_at(value, {"status"})["phase"] = "Terminating";
    set_or_drop_finalizers(object, finalizers_for(live, removal));
    return {Outcome::kPut, std::move(object)};
  }
  json::Value value = live;
  const json::Value* finalizers = json::at(value, {"spec", "finalizers"});
  if (finalizers && finalizers->is_array() && !finalizers->as_array().empty()) {
    return {Outcome::kUnchanged, live};
  }
  return decide_generic(live, removal);
}

}  // namespace

Result<Decision> decide_remove(const json::Object& live, const Removal& removal) {
  std::string_view name = api::name_of(live);
  if (is_namespace(removal.resource) &&
      std::ranges::find(kImmortalNamespaces, name) != kImmortalNamespaces.end()) {
    return forbidden(removal.resource, name, "this namespace may not be deleted");
  }
  SLIPWAY_TRY(check_preconditions(live, removal));
  if (is_namespace(removal.resource)) return decide_namespace(live, removal);
  if (is_definition(removal.resource) && !api::is_deleting(live)) {
    return Decision{Outcome::kPut, terminating_definition(live, removal.now)};
  }
  return decide_generic(live, removal);
}

}  // namespace slipway::store
