#include "runtime/node/decide_pod.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/place.h"
#include "runtime/node/conditions.h"

namespace slipway::runtime {

namespace {

using api::Place;
using What = PodStep::What;

bool has_ended(const HostedPod* hosted) { return hosted && hosted->state && hosted->state->ended; }
bool runs(const HostedPod* hosted) { return hosted && hosted->runs(); }

bool is_over(const json::Value& pod) {
  const std::string_view phase = json::string_at(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

std::optional<Time> deadline_of(const json::Value& pod) {
  const Place limit = Place(&pod, "")["spec"]["activeDeadlineSeconds"];
  const auto started = parse_time(json::string_at(pod, {"status", "startTime"}));
  if (!limit.present() || !started) return std::nullopt;
  return *started + std::chrono::seconds(limit.integer());
}

Duration grace_of(const json::Value& pod) {
  const std::int64_t seconds = Place(&pod, "")["spec"]["terminationGracePeriodSeconds"].integer(30);
  return std::chrono::seconds(std::max<std::int64_t>(seconds, 0));
}

PodStep decide_unscheduled(const json::Value& pod) {
  if (api::is_deleting(pod.get_object())) return {.what = What::kRemove};
  const bool gated = Place(&pod, "")["spec"]["schedulingGates"].size() > 0;
  return {.what = gated ? What::kGated : What::kSchedule};
}

PodStep decide_deleting(const json::Value& pod, const HostedPod* hosted, Time now) {
  if (!runs(hosted)) return {.what = What::kRemove};
  const auto until = api::deletion_time_of(pod.get_object());
  if (!until) return {.what = What::kStop};
  // The time is written in whole seconds, cut off: without this a grace of one second may be none.
  const Duration left = *until + std::chrono::seconds(1) - now;
  const Duration given =
      std::chrono::seconds(Place(&pod, "")["metadata"]["deletionGracePeriodSeconds"].integer(0));
  return {.what = What::kStop, .grace = std::clamp(left, Duration(), std::max(given, Duration()))};
}

bool same_run(const ContainerState* before, const ContainerState& after) {
  return before && before->running() && before->running()->pid == after.running()->pid &&
         before->running()->started_at == after.running()->started_at;
}

void add_container(const PodPlan& plan, const ContainerState* before, const ContainerState& after,
                   std::vector<PodHappening>& found) {
  if (after.running() && !same_run(before, after)) {
    found.push_back({false, "Created", "Created container: " + after.name});
    found.push_back({false, "Started", "Started container " + after.name});
  }
  const auto refused = [](const ContainerState& state) -> const Terminated* {
    if (const Terminated* end = state.terminated(); end && end->reason == "StartError") return end;
    const bool last = state.last_terminated && state.last_terminated->reason == "StartError";
    return last ? &*state.last_terminated : nullptr;
  };
  if (const Terminated* end = refused(after); end && (!before || !refused(*before)))
    found.push_back({true, "Failed", "Error: " + end->message});
  const auto backs_off = [](const ContainerState& state) {
    return state.waiting() && state.waiting()->reason == "CrashLoopBackOff";
  };
  if (backs_off(after) && (!before || !backs_off(*before)))
    found.push_back({true, "BackOff",
                     fmt::format("Back-off restarting failed container {} in pod {}_{}({})",
                                 after.name, plan.name, plan.ns, plan.uid)});
}

}  // namespace

PodStep decide_pod(const json::Value& pod, const HostedPod* hosted, const NodeFacts& node,
                   Time now) {
  const std::string_view assigned = json::string_at(pod, {"spec", "nodeName"});
  if (assigned.empty()) return decide_unscheduled(pod);
  if (assigned != node.name) return {};
  if (api::is_deleting(pod.get_object())) return decide_deleting(pod, hosted, now);
  if (is_over(pod)) {
    // Somebody has said so, while it runs.
    if (runs(hosted)) return {.what = What::kStop, .grace = grace_of(pod)};
    return {.what = hosted && hosted->state ? What::kReport : What::kNothing};
  }
  const auto deadline = deadline_of(pod);
  const bool past = deadline && *deadline <= now;
  if (past && !has_ended(hosted))
    return {.what = What::kStop, .grace = grace_of(pod), .past_deadline = true};
  PodStep step{.what = runs(hosted) || has_ended(hosted) ? What::kReport : What::kStart};
  // One that was told to stop, and not because it is deleted, has not ended by itself.
  step.past_deadline = past && hosted->state->stopping;
  if (deadline && !has_ended(hosted)) step.again = *deadline - now;
  return step;
}

std::vector<std::string> changed_images(const json::Value& pod, const HostedPod& hosted) {
  std::vector<std::string> changed;
  if (!hosted.runs() || !hosted.state || hosted.state->stopping) return changed;
  // A shim of before there was a way to tell it does not say what it runs.
  const auto says = [](const ContainerState& state) { return !state.image.empty(); };
  if (std::ranges::none_of(hosted.state->init_containers, says) &&
      std::ranges::none_of(hosted.state->containers, says))
    return changed;
  const auto look = [&](const Place& spec, bool init) {
    const auto& plans = init ? hosted.plan.init_containers : hosted.plan.containers;
    const auto& states = init ? hosted.state->init_containers : hosted.state->containers;
    const auto plan = std::ranges::find(plans, spec["name"].text(), &ContainerPlan::name);
    const auto state = std::ranges::find(states, spec["name"].text(), &ContainerState::name);
    if (plan == plans.end() || state == states.end()) return;
    const std::string_view wanted = spec["image"].text();
    const std::string& has = state->image.empty() ? plan->image : state->image;
    const bool told = plan->image == wanted && state->replaced;
    const bool goes_on = state->waiting() || (state->running() && (!init || is_sidecar(spec)));
    if (has != wanted && goes_on && !told) changed.push_back(state->name);
  };
  const Place spec = Place(&pod, "")["spec"];
  for (const Place& each : spec["initContainers"].items()) look(each, true);
  for (const Place& each : spec["containers"].items()) look(each, false);
  return changed;
}

std::vector<PodHappening> happenings(const PodPlan& plan, const PodState& before,
                                     const PodState& after) {
  std::vector<PodHappening> found;
  const auto look = [&](std::vector<ContainerState> PodState::* list) {
    for (const ContainerState& state : after.*list) {
      const ContainerState* old = nullptr;
      for (const ContainerState& each : before.*list)
        if (each.name == state.name) old = &each;
      add_container(plan, old, state, found);
    }
  };
  look(&PodState::init_containers);
  look(&PodState::containers);
  if (!after.bind_problem.empty() && before.bind_problem != after.bind_problem)
    found.push_back(
        {true, "WildcardBind",
         "programs of this Pod have to listen on POD_IP themselves: " + after.bind_problem});
  if (!after.port_problem.empty() && before.port_problem != after.port_problem)
    found.push_back({true, "PortInUse", after.port_problem});
  if (!after.mount_problem.empty() && before.mount_problem != after.mount_problem)
    found.push_back({true, "FailedMount",
                     "volumes are at the paths in SLIPWAY_MOUNT_… alone: " + after.mount_problem});
  return found;
}

}  // namespace slipway::runtime
