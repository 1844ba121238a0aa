#include <fmt/format.h>

#include <algorithm>

#include "runtime/shim/inside/supervisor.h"

namespace slipway::runtime {

namespace {

std::unexpected<Error> not_running(const std::string& name) {
  return fail(ErrorCode::kNotFound, fmt::format("container \"{}\" does not run", name));
}

}  // namespace

void Supervisor::asked(ControlServer::Connection connection, const Request& request) {
  switch (request.kind) {
    case Request::Kind::kWatch:
      control_.add_watcher(connection);
      return;
    case Request::Kind::kStop:
      stop_pod(request.time);
      control_.answer(connection, json::Value(json::Object()));
      return;
    case Request::Kind::kKill:
      control_.answer(connection, kill_container(request));
      return;
    case Request::Kind::kStarted:
      control_.answer(connection, mark_started(request));
      return;
    case Request::Kind::kReplace:
      control_.answer(connection, replace(request));
      return;
    case Request::Kind::kExec:
      exec(connection, request);
      return;
  }
}

ContainerProcess* Supervisor::find(const std::string& name) {
  const auto found = std::ranges::find_if(processes_, [&](const auto& process) {
    return state_of(state_, process->which()).name == name;
  });
  return found == processes_.end() ? nullptr : found->get();
}

std::set<pid_t> Supervisor::first_processes_but(pid_t pid) const {
  std::set<pid_t> others;
  for (const auto& process : processes_)
    if (process->pid() != pid) others.insert(process->pid());
  return others;
}

Result<json::Value> Supervisor::kill_container(const Request& request) {
  ContainerProcess* process = find(request.container);
  if (!process) return not_running(request.container);
  begin_stop(*process, clock_uptime() + std::max(request.time, Duration::zero()), request.message);
  return json::Value(json::Object());
}

Result<json::Value> Supervisor::mark_started(const Request& request) {
  const ContainerProcess* process = find(request.container);
  if (!process) return not_running(request.container);
  ContainerState& state = state_of(state_, process->which());
  if (state.restart_count != request.run) return not_running(request.container);
  state.started = true;
  return json::Value(json::Object());
}

Result<json::Value> Supervisor::replace(const Request& request) {
  auto written = read_plan(folder_);
  if (!written) return std::unexpected(written.error());
  ContainerPlan* fresh = find_container(*written, request.container);
  const auto which = find_which(plan_, request.container);
  if (!fresh || !which) return not_running(request.container);
  *find_container(plan_, request.container) = std::move(*fresh);
  if (!wants_replacing(plan_, state_, *which)) return json::Value(json::Object());
  state_of(state_, *which).replaced = true;  // which ends its back-off, too
  if (ContainerProcess* process = find(request.container))
    begin_stop(*process, clock_uptime() + std::max(request.time, Duration::zero()),
               request.message);
  return json::Value(json::Object());
}

void Supervisor::exec(ControlServer::Connection connection, const Request& request) {
  const ContainerProcess* process = find(request.container);
  if (!process) return control_.answer(connection, not_running(request.container));
  if (request.argv.empty())
    return control_.answer(connection, fail(ErrorCode::kInvalid, "is empty", "argv"));
  if (commands_.full())
    return control_.answer(connection,
                           fail(ErrorCode::kTooManyRequests,
                                fmt::format("{} commands run in this Pod already", kMaxCommands)));
  const auto prepared = prepare_command(*process, request.argv);
  if (!prepared) return control_.answer(connection, std::unexpected(prepared.error()));
  commands_.run(*prepared, request.time, [this, connection](const ExecAnswer& answer) {
    control_.answer(connection, to_json(answer));
  });
}

}  // namespace slipway::runtime
