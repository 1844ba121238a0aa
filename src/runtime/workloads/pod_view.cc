#include "runtime/workloads/pod_view.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "api/object.h"
#include "api/rules/members.h"

namespace slipway::runtime {

namespace {

using api::array_in;
using api::flag_in;
using api::number_in;
using api::object_in;
using api::text_in;

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

Time time_in(const json::Object& object, std::string_view key) {
  const auto time = parse_time(text_in(object, key));
  return time ? *time : Time();
}

PodPhase phase_of(std::string_view word) {
  if (word == "Running") return PodPhase::kRunning;
  if (word == "Succeeded") return PodPhase::kSucceeded;
  if (word == "Failed") return PodPhase::kFailed;
  return word == "Unknown" ? PodPhase::kUnknown : PodPhase::kPending;
}

std::int32_t number_from(std::string_view text, std::int32_t otherwise) {
  std::int32_t number = otherwise;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : otherwise;
}

template <class Do>
void each_object(const json::Object& object, std::string_view list, Do work) {
  if (const json::Array* items = array_in(object, list))
    for (const json::Value& item : *items)
      if (const json::Object* one = item.if_object()) work(*one);
}

std::set<std::string_view> sidecars_of(const json::Object& spec) {
  std::set<std::string_view> names;
  each_object(spec, "initContainers", [&](const json::Object& container) {
    if (text_in(container, "restartPolicy") == "Always") names.insert(text_in(container, "name"));
  });
  return names;
}

void read_ports(PodView& view, const json::Object& spec) {
  const auto read = [&](const json::Object& container) {
    each_object(container, "ports", [&](const json::Object& port) {
      if (text_in(port, "name").empty()) return;
      view.ports.push_back({.name = std::string(text_in(port, "name")),
                            .protocol = std::string(text_in(port, "protocol")),
                            .number = number_in<std::int32_t>(port, "containerPort").value_or(0)});
    });
  };
  each_object(spec, "containers", read);
  each_object(spec, "initContainers", [&](const json::Object& container) {
    if (text_in(container, "restartPolicy") == "Always") read(container);
  });
}

void read_restarts(PodView& view, const json::Object& spec, const json::Object& status) {
  const auto of = [](const json::Object& container) {
    return number_in<std::int32_t>(container, "restartCount").value_or(0);
  };
  each_object(status, "containerStatuses", [&](const json::Object& container) {
    view.restarts = std::max(view.restarts, of(container));
    view.all_restarts += of(container);
  });
  if (array_in(status, "initContainerStatuses") == nullptr) return;
  const auto sidecars = sidecars_of(spec);
  each_object(status, "initContainerStatuses", [&](const json::Object& container) {
    view.all_restarts += of(container);
    if (sidecars.contains(text_in(container, "name")))
      view.sidecar_restarts = std::max(view.sidecar_restarts, of(container));
  });
}

// When the last container ended; 0 when one has not.
Time containers_finished(const json::Object& spec, const json::Object& status) {
  Time last = {};
  bool all = true;
  const auto look = [&](const json::Object& container) {
    const json::Object* state = object_in(container, "state");
    const json::Object* ended = state ? object_in(*state, "terminated") : nullptr;
    const Time at = ended ? time_in(*ended, "finishedAt") : Time();
    all = all && at != Time();
    last = std::max(last, at);
  };
  each_object(status, "containerStatuses", look);
  const auto sidecars = sidecars_of(spec);
  each_object(status, "initContainerStatuses", [&](const json::Object& container) {
    if (sidecars.contains(text_in(container, "name"))) look(container);
  });
  return all ? last : Time();
}

Time finished_at(const PodView& view, const json::Object& pod, const json::Object& spec,
                 const json::Object& status) {
  if (const Time ended = containers_finished(spec, status); ended != Time()) return ended;
  if (!view.ready && view.ready_changed != Time()) return view.ready_changed;
  if (const auto deletion = api::deletion_time_of(pod)) {
    const json::Object* metadata = api::metadata_of(pod);
    return *deletion -
           std::chrono::seconds(
               number_in<std::int64_t>(*metadata, "deletionGracePeriodSeconds").value_or(0));
  }
  return view.created;
}

void read_metadata(PodView& view, const json::Object& pod) {
  view.uid = api::uid_of(pod);
  view.labels = api::labels_of(pod);
  view.deleting = api::is_deleting(pod);
  if (auto owner = api::controller_of(pod)) {
    view.controller_kind = std::move(owner->kind);
    view.controller_name = std::move(owner->name);
    view.controller_uid = std::move(owner->uid);
  }
  if (const json::Object* metadata = api::metadata_of(pod))
    view.created = time_in(*metadata, "creationTimestamp");
  view.deletion_cost = number_from(api::annotation_of(pod, kDeletionCost), 0);
  view.index = number_from(api::annotation_of(pod, kIndexAnnotation), -1);
  const auto finalizers = api::finalizers_of(pod);
  view.tracked = std::ranges::find(finalizers, kTrackingFinalizer) != finalizers.end();
}

}  // namespace

bool PodView::is_available(Duration min_ready, Time now) const {
  if (!ready) return false;
  if (min_ready <= Duration::zero()) return true;
  return ready_changed != Time() && ready_changed + min_ready <= now;
}

PodView view_pod(const store::Item& item, const json::Object& pod) {
  static const json::Object kNone;
  PodView view{.key = item.key, .version = item.version};
  read_metadata(view, pod);
  const json::Object* given = object_in(pod, "spec");
  const json::Object& spec = given ? *given : kNone;
  view.node = text_in(spec, "nodeName");
  view.hostname = text_in(spec, "hostname");
  view.subdomain = text_in(spec, "subdomain");
  read_ports(view, spec);
  const json::Object* told = object_in(pod, "status");
  const json::Object& status = told ? *told : kNone;
  view.phase = phase_of(text_in(status, "phase"));
  view.ip = text_in(status, "podIP");
  each_object(status, "conditions", [&](const json::Object& condition) {
    if (text_in(condition, "type") != "Ready") return;
    view.ready = text_in(condition, "status") == "True";
    view.ready_changed = time_in(condition, "lastTransitionTime");
  });
  read_restarts(view, spec, status);
  if (view.is_over() || view.deleting) view.finished = finished_at(view, pod, spec, status);
  return view;
}

}  // namespace slipway::runtime
