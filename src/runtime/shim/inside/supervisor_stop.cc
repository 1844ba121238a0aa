#include <signal.h>

#include <algorithm>

#include "runtime/shim/inside/supervisor.h"

namespace slipway::runtime {

namespace {

using Stage = ContainerProcess::Stop::Stage;

// What is left for SIGTERM when a hook, or those whose turn was first, have used up the grace;
// Kubernetes' figure.
constexpr Duration kLeastGrace = std::chrono::seconds(2);

}  // namespace

void Supervisor::stop_pod(Duration grace) {
  const Duration now = clock_uptime();
  const Duration deadline = now + std::max(grace, Duration::zero());
  // None is left, too, when somebody asks again after the time is over.
  if (deadline <= now && (!stop_deadline_ || *stop_deadline_ > now)) stop_at_once_ = true;
  stop_deadline_ = std::min(stop_deadline_.value_or(deadline), deadline);
  state_.stopping = true;
  const Duration latest = stop_at_once_ ? now : std::max(deadline, now + kLeastGrace);
  for (const auto& process : processes_)
    if (process->stop) process->stop->deadline = std::min(process->stop->deadline, latest);
}

void Supervisor::advance_stop() {
  // Taken over from a shim that was killed: nothing runs, nothing waits.
  if (!stop_deadline_) stop_deadline_ = clock_uptime();
  bool others = false;
  for (const auto& process : processes_) {
    if (is_sidecar(plan_, process->which())) continue;
    others = true;
    if (!process->stop) begin_stop(*process, *stop_deadline_, "");
  }
  if (others) return;
  // Sidecars outlive what they serve, and stop in the reverse order of their start.
  const auto last = std::ranges::max_element(
      processes_, {}, [](const auto& process) { return process->which().index; });
  if (last == processes_.end() || (*last)->stop) return;
  const Duration least = stop_at_once_ ? Duration() : clock_uptime() + kLeastGrace;
  begin_stop(**last, std::max(*stop_deadline_, least), "");
}

void Supervisor::begin_stop(ContainerProcess& process, Duration deadline, std::string message) {
  if (process.stop) {
    process.stop->deadline = std::min(process.stop->deadline, deadline);
    return;
  }
  process.stop = {.stage = Stage::kHook, .deadline = deadline, .message = std::move(message)};
  const auto& hook = plan_of(plan_, process.which()).pre_stop;
  if (deadline <= clock_uptime())
    kill_now(process);
  else if (hook && !commands_.full())
    run_hook(process, *hook);
  else
    send_term(process);
}

void Supervisor::run_hook(ContainerProcess& process, const Hook& hook) {
  const pid_t pid = process.pid();
  const auto done = [this, pid](const ExecAnswer&) {
    const auto found =
        std::ranges::find(processes_, pid, [](const auto& candidate) { return candidate->pid(); });
    if (found == processes_.end() || (*found)->stop->stage != Stage::kHook) return;
    auto& stop = *(*found)->stop;
    stop.deadline = std::max(stop.deadline, clock_uptime() + kLeastGrace);
    send_term(**found);
  };
  const Duration timeout = process.stop->deadline - clock_uptime();
  if (hook.exec.empty()) {
    commands_.get(hook, plan_.pod_ip, timeout, done);
    return;
  }
  const auto prepared = prepare_command(process, hook.exec);
  if (!prepared) return send_term(process);
  commands_.run(*prepared, timeout, done);
}

void Supervisor::send_term(ContainerProcess& process) {
  process.stop->stage = Stage::kTerm;
  ::kill(-process.pid(), SIGTERM);
}

void Supervisor::kill_now(ContainerProcess& process) {
  process.stop->stage = Stage::kKill;
  kill_container_processes(process.pid(), state_of(state_, process.which()).name,
                           first_processes_but(process.pid()));
}

void Supervisor::check_deadlines() {
  commands_.check_time();
  for (const auto& process : processes_) {
    if (!process->stop || process->stop->deadline > clock_uptime()) continue;
    if (process->stop->stage == Stage::kHook) {
      process->stop->deadline = clock_uptime() + kLeastGrace;
      send_term(*process);
    } else if (process->stop->stage == Stage::kTerm) {
      kill_now(*process);
    }
  }
}

}  // namespace slipway::runtime
