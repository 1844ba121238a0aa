#include "runtime/node/prober.h"

#include <algorithm>
#include <array>

#include "api/rules/place.h"

namespace slipway::runtime {

namespace {

using api::Place;

constexpr std::array kKinds = {ProbeKind::kStartup, ProbeKind::kReadiness, ProbeKind::kLiveness};

// What the Pod's status says of this very run: a server that was started again must not take a
// ready container for one that is not until it has asked.
bool held_before(const json::Value& pod, const ContainerState& state, std::string_view field) {
  const Place status = Place(&pod, "")["status"];
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"})
    for (const Place& each : status[list].items())
      if (each["name"].text() == state.name)
        return each["state"]["running"]["startedAt"].text() ==
                   format_time(state.running()->started_at) &&
               each["restartCount"].integer() == state.restart_count && each[field].truth();
  return false;
}

}  // namespace

struct Prober::Probe {
  Probe(ProbeSpec with, ProbeKind of, bool passed)
      : spec(std::move(with)), kind(of), count(spec, of, passed) {}
  ProbeSpec spec;
  ProbeKind kind;
  ProbeCount count;
  std::stop_source stop;
  bool begun = false;
};

Prober::Prober(Loop& loop, ProbeClient& client, Listener listener)
    : loop_(loop), client_(client), listener_(std::move(listener)), gate_(loop) {}

void Prober::update(const json::Value& pod, const HostedPod& hosted) {
  if (!hosted.state) return;
  Containers& containers = pods_[hosted.plan.uid];
  const auto look = [&](const std::vector<ContainerState>& states, std::string_view list) {
    for (const ContainerState& state : states) {
      Container& container = containers[state.name];
      const Running* running = hosted.alive ? state.running() : nullptr;
      if (!running) {
        for (const auto& [kind, probe] : container.probes) probe->stop.request_stop();
        container = {};
        continue;
      }
      const bool same = container.running && container.pid == running->pid &&
                        container.started_at == running->started_at;
      if (!same)
        for (const Place& spec : Place(&pod, "")["spec"][list].items())
          if (spec["name"].text() == state.name) begin_run(pod, spec.value(), state, container);
      if (hosted.state->stopping) {
        // What is told to stop is not killed for being unwell.
        for (const auto& [kind, probe] : container.probes)
          if (kind != ProbeKind::kReadiness) probe->stop.request_stop();
      } else {
        start_probes(hosted.plan, state.name, container);
      }
    }
  };
  look(hosted.state->init_containers, "initContainers");
  look(hosted.state->containers, "containers");
}

void Prober::begin_run(const json::Value& pod, const json::Value& spec, const ContainerState& state,
                       Container& container) {
  const Running& running = *state.running();
  for (const auto& [kind, probe] : container.probes) probe->stop.request_stop();
  container = {.started_at = running.started_at, .pid = running.pid, .running = true};
  for (const ProbeKind kind : kKinds) {
    auto parsed = parse_probe(spec, kind);
    if (!parsed) continue;
    const bool passed = kind == ProbeKind::kLiveness ||
                        held_before(pod, state, kind == ProbeKind::kStartup ? "started" : "ready");
    container.probes.emplace(kind, std::make_shared<Probe>(std::move(*parsed), kind, passed));
  }
}

// Nothing else is asked of a container before it has started.
void Prober::start_probes(const PodPlan& plan, const std::string& name, Container& container) {
  const auto startup = container.probes.find(ProbeKind::kStartup);
  const bool started = startup == container.probes.end() || startup->second->count.passed();
  for (auto& [kind, probe] : container.probes) {
    if (probe->begun || probe->count.is_over() || (kind == ProbeKind::kStartup) == started)
      continue;
    probe->begun = true;
    gate_.spawn(run(plan.uid, name, plan.pod_ip, container.started_at, probe));
  }
}

Task<> Prober::run(std::string uid, std::string container, std::string pod_ip, Time started_at,
                   std::shared_ptr<Probe> probe) {
  // Shared by reference: the token of the gate ends the one of the probe.
  const std::stop_token token = probe->stop.get_token();
  std::stop_callback stopping(gate_.stop(), [&probe] { probe->stop.request_stop(); });
  const Duration wait = started_at + probe->spec.initial_delay - loop_.clock().now();
  if (wait > Duration::zero() && !co_await sleep_for(loop_, wait, token)) co_return;
  while (!token.stop_requested()) {
    const ProbeAnswer answer = co_await client_.ask(uid, container, pod_ip, probe->spec, token);
    if (token.stop_requested()) co_return;
    const bool before = probe->count.passed();
    probe->count.add(answer.success);
    if (!answer.success)
      listener_.failed(uid, container, probe->kind, probe->spec, answer.message,
                       probe->count.must_die());
    if (probe->count.passed() != before) listener_.changed(uid);
    if (probe->count.is_over()) co_return;
    if (!co_await sleep_for(loop_, probe->spec.period, token)) co_return;
  }
}

void Prober::drop(const std::string& uid) {
  const auto pod = pods_.find(uid);
  if (pod == pods_.end()) return;
  for (const auto& [name, container] : pod->second)
    for (const auto& [kind, probe] : container.probes) probe->stop.request_stop();
  pods_.erase(pod);
}

ContainerHealth Prober::health(const std::string& uid, const std::string& container) const {
  const auto pod = pods_.find(uid);
  if (pod == pods_.end()) return {.started = false, .ready = false};
  const auto found = pod->second.find(container);
  if (found == pod->second.end() || !found->second.running)
    return {.started = false, .ready = false};
  ContainerHealth health;
  for (const auto& [kind, probe] : found->second.probes) {
    if (kind == ProbeKind::kStartup) health.started = probe->count.passed();
    if (kind == ProbeKind::kReadiness) health.ready = probe->count.passed();
  }
  health.ready = health.ready && health.started;
  return health;
}

Task<> Prober::stop() {
  gate_.request_stop();
  co_await gate_.close();
}

}  // namespace slipway::runtime
