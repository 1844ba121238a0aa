#include "runtime/shim/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <span>

namespace slipway::runtime {

namespace {

const Terminated* last_end(const ContainerState& state) {
  if (const auto* ended = state.terminated()) return ended;
  if (state.waiting() && state.last_terminated) return &*state.last_terminated;
  return nullptr;
}

bool never_started(const ContainerState& state) { return state.waiting() && !last_end(state); }

bool backoff_is_over(const ShimTuning& tuning, const ContainerState& state, Time ended) {
  return !state.backoff || ended - state.backoff->since > tuning.backoff_reset;
}

// Collects the step of one look at the Pod.
class Decision {
 public:
  Decision(const PodPlan& plan, const PodState& state, Time now)
      : plan_(plan), state_(state), now_(now) {}

  Step take() {
    if (state_.stopping) {
      step_.ended = !anything_runs();
      return std::move(step_);
    }
    switch (look_at_init()) {
      case Init::kBusy:
        return std::move(step_);
      case Init::kFailed:
        finish();
        return std::move(step_);
      case Init::kDone:
        break;
    }
    bool over = true;
    for (std::size_t i = 0; i < plan_.containers.size(); ++i)
      if (look_at({.init = false, .index = i})) over = false;
    if (over) finish();
    return std::move(step_);
  }

 private:
  enum class Init { kBusy, kFailed, kDone };

  Init look_at_init() {
    for (std::size_t i = 0; i < plan_.init_containers.size(); ++i) {
      const Which which{.init = true, .index = i};
      const ContainerState& state = state_of(state_, which);
      if (is_sidecar(plan_, which)) {
        if (no_more_needed()) continue;
        look_at(which);
        if (never_started(state) || holds_back(which)) return Init::kBusy;
        continue;
      }
      const auto* ended = last_end(state);
      if (state.terminated() && ended->exit_code == 0) continue;
      return look_at(which) ? Init::kBusy : Init::kFailed;
    }
    return Init::kDone;
  }

  // Until its startup probe has passed. What has begun after it goes on when it is restarted.
  bool holds_back(Which sidecar) const {
    if (!plan_of(plan_, sidecar).startup_probe || state_of(state_, sidecar).started) return false;
    const auto after = std::span(state_.init_containers).subspan(sidecar.index + 1);
    return std::ranges::all_of(after, never_started) &&
           std::ranges::all_of(state_.containers, never_started);
  }

  // A container that ended for good stays so, and sidecars end with the last of them.
  bool no_more_needed() const {
    return std::ranges::all_of(plan_.containers, [this](const ContainerPlan& container) {
      const auto& state =
          state_.containers[static_cast<std::size_t>(&container - plan_.containers.data())];
      return state.terminated() && !state.replaced &&
             !restarts(container, *state.terminated(), false);
    });
  }

  bool restarts(const ContainerPlan& container, const Terminated& ended, bool init) const {
    switch (container.restart.value_or(plan_.restart_policy)) {
      case RestartPolicy::kAlways:
        // An init container that has done its work is not run again, whatever the Pod's policy.
        return !init || ended.exit_code != 0 || container.restart.has_value();
      case RestartPolicy::kOnFailure:
        return ended.exit_code != 0;
      case RestartPolicy::kNever:
        return false;
    }
    return false;
  }

  // Starts it, or says when; false when it has ended for good.
  bool look_at(Which which) {
    const ContainerState& state = state_of(state_, which);
    if (state.running()) return true;
    const auto* ended = last_end(state);
    if (!ended) {
      step_.start.push_back(which);
      return true;
    }
    if (!state.replaced && !restarts(plan_of(plan_, which), *ended, which.init)) return false;
    const Time due = state.replaced ? now_ : restart_due(state, *ended);
    if (due <= now_) {
      step_.start.push_back(which);
      return true;
    }
    step_.again = step_.again ? std::min(*step_.again, due) : due;
    if (!state.waiting())
      step_.wait.emplace_back(
          which,
          Waiting{.reason = "CrashLoopBackOff",
                  .message = fmt::format("back-off {} restarting failed container={} pod={}_{}({})",
                                         format_duration(state.backoff->delay), state.name,
                                         plan_.name, plan_.ns, plan_.uid)});
    return true;
  }

  Time restart_due(const ContainerState& state, const Terminated& ended) const {
    if (backoff_is_over(plan_.tuning, state, ended.finished_at)) return now_;
    // A clock that was set back must not lengthen the wait.
    return std::min(ended.finished_at, now_) + state.backoff->delay;
  }

  void finish() {
    for (std::size_t i = 0; i < plan_.init_containers.size(); ++i)
      if (state_.init_containers[i].running()) step_.stop.push_back({.init = true, .index = i});
    // Sidecars stop in the reverse order of their start.
    std::ranges::reverse(step_.stop);
    step_.start.clear();
    step_.wait.clear();
    step_.again.reset();
    step_.ended = !anything_runs();
  }

  bool anything_runs() const {
    const auto runs = [](const ContainerState& state) { return state.running() != nullptr; };
    return std::ranges::any_of(state_.init_containers, runs) ||
           std::ranges::any_of(state_.containers, runs);
  }

  const PodPlan& plan_;
  const PodState& state_;
  Time now_;
  Step step_ = {};
};

void take_over(const std::vector<ContainerPlan>& plans, std::vector<ContainerState>& fresh,
               const std::vector<ContainerState>& last, Time now) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto same = std::ranges::find(last, plans[i].name, &ContainerState::name);
    if (same == last.end()) continue;
    fresh[i] = *same;
    if (const auto* ran = same->running()) {
      fresh[i].backoff.reset();  // it has not failed: nothing to hold back from
      fresh[i].started = false;
      fresh[i].now = Terminated{.exit_code = 128 + SIGKILL,
                                .signal = SIGKILL,
                                .reason = "Error",
                                .message = "the process that looks after the Pod was killed",
                                .started_at = ran->started_at,
                                .finished_at = now};
    }
  }
}

}  // namespace

Step decide_next(const PodPlan& plan, const PodState& state, Time now) {
  return Decision(plan, state, now).take();
}

Backoff decide_backoff(const ShimTuning& tuning, const ContainerState& state, Time now) {
  const auto* ended = last_end(state);
  if (!ended || backoff_is_over(tuning, state, ended->finished_at))
    return {.delay = tuning.backoff_first, .since = now};
  return {.delay = std::min(2 * state.backoff->delay, tuning.backoff_most), .since = now};
}

std::optional<Which> find_which(const PodPlan& plan, std::string_view name) {
  for (const bool init : {true, false}) {
    const auto& list = init ? plan.init_containers : plan.containers;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list[i].name == name) return Which{.init = init, .index = i};
  }
  return std::nullopt;
}

bool wants_replacing(const PodPlan& plan, const PodState& state, Which which) {
  const ContainerState& container = state_of(state, which);
  if (container.terminated() || never_started(container)) return false;
  if (container.running() && which.init && !is_sidecar(plan, which)) return false;
  return container.image != plan_of(plan, which).image;
}

PodState initial_state(const PodPlan& plan) {
  PodState state;
  for (const auto& container : plan.init_containers)
    state.init_containers.push_back(
        {.name = container.name, .now = Waiting{.reason = "PodInitializing"}});
  const char* reason = plan.init_containers.empty() ? "ContainerCreating" : "PodInitializing";
  for (const auto& container : plan.containers)
    state.containers.push_back({.name = container.name, .now = Waiting{.reason = reason}});
  return state;
}

PodState resumed_state(const PodPlan& plan, PodState last, Time now) {
  PodState state = initial_state(plan);
  state.revision = last.revision;
  state.stopping = last.stopping;
  take_over(plan.init_containers, state.init_containers, last.init_containers, now);
  take_over(plan.containers, state.containers, last.containers, now);
  return state;
}

}  // namespace slipway::runtime
