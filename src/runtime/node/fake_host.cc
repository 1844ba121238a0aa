#include "runtime/node/fake_host.h"

#include <algorithm>
#include <csignal>

#include "runtime/shim/decide.h"

namespace slipway::runtime {

namespace {
constexpr int kSignalled = 128;
}

struct FakeMachine::Pod {
  HostedPod hosted = {};
  std::map<std::pair<bool, std::size_t>, FakeRun> runs = {};  // those begun and not ended
  std::map<std::pair<bool, std::size_t>, std::unique_ptr<Clock::Timer>> timers = {};
  std::map<std::pair<bool, std::size_t>, std::unique_ptr<Clock::Timer>> killers = {};
  std::unique_ptr<Clock::Timer> again = {};

  PodState& state() { return *hosted.state; }
  const PodPlan& plan() const { return hosted.plan; }
};

FakeMachine::FakeMachine(Loop& loop) : loop_(loop) {}
FakeMachine::~FakeMachine() = default;

std::size_t FakeMachine::running() const {
  std::size_t count = 0;
  for (const auto& [uid, pod] : pods_) {
    if (!pod->hosted.alive || !pod->hosted.state) continue;
    for (const auto* list : {&pod->state().init_containers, &pod->state().containers})
      for (const ContainerState& state : *list) count += state.running() != nullptr;
  }
  return count;
}

void FakeMachine::publish(Pod& pod) {
  ++pod.state().revision;
  if (changed_) changed_(pod.plan().uid);
}

void FakeMachine::begin(const std::string& uid) {
  Pod& pod = *pods_.at(uid);
  const Time now = loop_.clock().now();
  pod.hosted.state = pod.hosted.state ? resumed_state(pod.plan(), *pod.hosted.state, now)
                                      : initial_state(pod.plan());
  pod.hosted.alive = true;
  publish(pod);
  advance(pod);
}

void FakeMachine::advance(Pod& pod) {
  const Time now = loop_.clock().now();
  const Step step = decide_next(pod.plan(), pod.state(), now);
  for (const auto& [which, waiting] : step.wait) {
    ContainerState& state = state_of(pod.state(), which);
    if (const Terminated* end = state.terminated()) state.last_terminated = *end;
    state.now = waiting;
  }
  for (const Which which : step.start) {
    const auto key = std::pair(which.init, which.index);
    if (pod.runs.contains(key)) continue;
    ContainerState& state = state_of(pod.state(), which);
    const FakeRun run = script(pod.plan(), plan_of(pod.plan(), which),
                               state.restart_count + (state.last_terminated ? 1 : 0));
    pod.runs[key] = run;
    pod.timers[key] = loop_.clock().call_after(run.starts_after, [this, &pod, which, run, key] {
      ContainerState& started = state_of(pod.state(), which);
      const Time at = loop_.clock().now();
      if (const Terminated* end = started.terminated()) started.last_terminated = *end;
      if (started.last_terminated) {
        if (started.replaced)
          started.backoff.reset();
        else
          started.backoff = decide_backoff(pod.plan().tuning, started, at);
        ++started.restart_count;
      }
      started.started = false;
      started.replaced = false;
      started.image = plan_of(pod.plan(), which).image;
      started.previous_log = started.log;
      started.log = log_of(pod.plan(), plan_of(pod.plan(), which), started.restart_count);
      started.now = Running{.started_at = at, .pid = next_pid_++, .start_ticks = 1};
      if (run.ends_after)
        pod.timers[key] = loop_.clock().call_after(*run.ends_after, [this, &pod, which, run] {
          end_run(pod, which.init, which.index, run.exit_code, 0, {});
        });
      publish(pod);
      advance(pod);
    });
  }
  for (const Which which : step.stop)
    stop_run(pod, which.init, which.index, std::chrono::seconds(pod.plan().grace_seconds), {});
  if (step.again)
    pod.again = loop_.clock().call_after(std::max(*step.again - now, Duration()),
                                         [this, &pod] { advance(pod); });
  if (step.ended && !pod.state().ended) {
    pod.state().ended = true;
    pod.hosted.alive = false;
  }
  if (step.ended || !step.wait.empty()) publish(pod);
}

void FakeMachine::end_run(Pod& pod, bool init, std::size_t index, int exit_code, int signal,
                          std::string message) {
  const auto key = std::pair(init, index);
  pod.timers.erase(key);
  pod.killers.erase(key);
  pod.runs.erase(key);
  ContainerState& state = state_of(pod.state(), {init, index});
  const Time now = loop_.clock().now();
  Time started = now;
  if (const Running* running = state.running()) started = running->started_at;
  state.now = Terminated{.exit_code = exit_code,
                         .signal = signal,
                         .reason = exit_code == 0 ? "Completed" : "Error",
                         .message = std::move(message),
                         .started_at = started,
                         .finished_at = now};
  publish(pod);
  advance(pod);
}

void FakeMachine::stop_run(Pod& pod, bool init, std::size_t index, Duration grace,
                           std::string message) {
  const auto key = std::pair(init, index);
  const auto run = pod.runs.find(key);
  if (run == pod.runs.end()) return;
  const bool obeys = run->second.stops_after <= grace;
  const int code = obeys ? run->second.stop_code : kSignalled + SIGKILL;
  pod.killers[key] = loop_.clock().call_after(
      obeys ? run->second.stops_after : grace, [this, &pod, init, index, code, message, obeys] {
        end_run(pod, init, index, code, obeys ? 0 : SIGKILL, message);
      });
}

void FakeMachine::stop(Pod& pod, Duration grace) {
  const bool first = !pod.state().stopping;
  pod.state().stopping = true;
  if (first) journal_.push_back("stop " + pod.plan().name);
  for (const auto& [key, run] : std::map(pod.runs)) {
    if (!state_of(pod.state(), {key.first, key.second}).running()) {
      pod.timers.erase(key);  // not begun yet: it never will
      pod.runs.erase(key);
    } else {
      stop_run(pod, key.first, key.second, grace, {});
    }
  }
  if (first) publish(pod);
  advance(pod);
}

void FakeMachine::kill_shim(const std::string& uid) {
  Pod& pod = *pods_.at(uid);
  pod.runs.clear();
  pod.timers.clear();
  pod.killers.clear();
  pod.again.reset();
  pod.hosted.alive = false;
  publish(pod);
}

void FakeMachine::kill_process(const std::string& uid, const std::string& container) {
  Pod& pod = *pods_.at(uid);
  for (std::size_t i = 0; i < pod.state().containers.size(); ++i)
    if (pod.state().containers[i].name == container && pod.state().containers[i].running())
      return end_run(pod, false, i, kSignalled + SIGKILL, SIGKILL, {});
}

Task<Result<>> FakePodHost::open(Changed changed) {
  machine_.changed_ = std::move(changed);
  co_return Result<>();
}

const HostedPod* FakePodHost::find(const std::string& uid) const {
  const auto found = machine_.pods_.find(uid);
  return found == machine_.pods_.end() ? nullptr : &found->second->hosted;
}

std::vector<std::string> FakePodHost::uids() const {
  std::vector<std::string> uids;
  for (const auto& [uid, pod] : machine_.pods_) uids.push_back(uid);
  return uids;
}

Task<Result<>> FakePodHost::start(PodOrder order) {
  SLIPWAY_CO_TRY(machine_.refuse_start(order.plan));
  const std::string uid = order.plan.uid;
  const HostedPod* known = find(uid);
  if (known && (known->alive || (known->state && known->state->ended))) co_return Result<>();
  machine_.journal_.push_back("start " + order.plan.name);
  if (!known) {
    auto pod = std::make_unique<FakeMachine::Pod>();
    pod->hosted.plan = std::move(order.plan);
    machine_.pods_[uid] = std::move(pod);
  }
  machine_.begin(uid);
  co_return Result<>();
}

Task<Result<>> FakePodHost::stop(std::string uid, Duration grace) {
  const auto found = machine_.pods_.find(uid);
  if (found != machine_.pods_.end() && found->second->hosted.alive)
    machine_.stop(*found->second, grace);
  co_return Result<>();
}

Task<Result<>> FakePodHost::kill_container(std::string uid, std::string container, Duration grace,
                                           std::string message) {
  const auto found = machine_.pods_.find(uid);
  if (found == machine_.pods_.end()) co_return fail(ErrorCode::kNotFound, "no such Pod");
  FakeMachine::Pod& pod = *found->second;
  for (const bool init : {false, true}) {
    const auto& states = init ? pod.state().init_containers : pod.state().containers;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i].name != container || !states[i].running()) continue;
      machine_.journal_.push_back("kill " + pod.plan().name + "/" + container);
      machine_.stop_run(pod, init, i, grace, std::move(message));
      co_return Result<>();
    }
  }
  co_return fail(ErrorCode::kNotFound, "the container does not run");
}

Task<Result<>> FakePodHost::replace(std::string uid, ContainerPlan container, Duration grace,
                                    std::string message) {
  const auto found = machine_.pods_.find(uid);
  if (found == machine_.pods_.end()) co_return fail(ErrorCode::kNotFound, "no such Pod");
  FakeMachine::Pod& pod = *found->second;
  const auto which = find_which(pod.plan(), container.name);
  if (!which) co_return fail(ErrorCode::kNotFound, "no such container");
  machine_.journal_.push_back("replace " + pod.plan().name + "/" + container.name);
  *find_container(pod.hosted.plan, container.name) = std::move(container);
  if (!wants_replacing(pod.plan(), pod.state(), *which)) co_return Result<>();
  state_of(pod.state(), *which).replaced = true;
  machine_.publish(pod);
  machine_.stop_run(pod, which->init, which->index, grace, std::move(message));
  machine_.advance(pod);
  co_return Result<>();
}

Task<Result<>> FakePodHost::mark_started(std::string uid, std::string container, std::int32_t run) {
  const auto found = machine_.pods_.find(uid);
  if (found == machine_.pods_.end()) co_return fail(ErrorCode::kNotFound, "no such Pod");
  FakeMachine::Pod& pod = *found->second;
  for (auto* list : {&pod.state().init_containers, &pod.state().containers})
    for (ContainerState& state : *list) {
      if (state.name != container || !state.running() || state.restart_count != run) continue;
      state.started = true;
      machine_.publish(pod);
      machine_.advance(pod);
      co_return Result<>();
    }
  co_return fail(ErrorCode::kNotFound, "the container does not run");
}

Task<Result<ExecAnswer>> FakePodHost::exec(std::string uid, std::string container,
                                           std::vector<std::string> argv, Duration) {
  const HostedPod* pod = find(uid);
  if (!pod || !pod->alive) co_return fail(ErrorCode::kNotFound, "no such Pod");
  for (const auto* list : {&pod->state->init_containers, &pod->state->containers})
    for (const ContainerState& state : *list)
      if (state.name == container && state.running())
        co_return machine_.on_exec(pod->plan, container, argv);
  co_return fail(ErrorCode::kNotFound, "the container does not run");
}

Task<Result<>> FakePodHost::forget(std::string uid) {
  const auto found = machine_.pods_.find(uid);
  if (found == machine_.pods_.end()) co_return Result<>();
  machine_.journal_.push_back("forget " + found->second->plan().name);
  machine_.pods_.erase(found);
  co_return Result<>();
}

Task<> FakePodHost::close() {
  machine_.changed_ = nullptr;
  co_return;
}

}  // namespace slipway::runtime
