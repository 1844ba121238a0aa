#include "runtime/shim/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file.h"
#include "runtime/shim/fields.h"
#include "runtime/shim/plan.h"

namespace slipway::runtime {

namespace {

json::Value terminated_value(const Terminated& ended) {
  return json::Object{{"exitCode", ended.exit_code},
                      {"signal", ended.signal},
                      {"reason", ended.reason},
                      {"message", ended.message},
                      {"startedAt", time_value(ended.started_at)},
                      {"finishedAt", time_value(ended.finished_at)}};
}

json::Value container_value(const ContainerState& state) {
  json::Object object{{"name", state.name}};
  if (const auto* waiting = state.waiting())
    object["waiting"] = json::Object{{"reason", waiting->reason}, {"message", waiting->message}};
  if (const auto* running = state.running())
    object["running"] = json::Object{{"startedAt", time_value(running->started_at)},
                                     {"pid", running->pid},
                                     {"startTicks", running->start_ticks}};
  if (const auto* ended = state.terminated()) object["terminated"] = terminated_value(*ended);
  object["image"] = state.image;
  object["replaced"] = state.replaced;
  object["restartCount"] = state.restart_count;
  object["started"] = state.started;
  if (state.last_terminated) object["lastTerminated"] = terminated_value(*state.last_terminated);
  object["log"] = state.log;
  object["previousLog"] = state.previous_log;
  if (state.backoff)
    object["backoff"] = json::Object{{"delay", state.backoff->delay.count()},
                                     {"since", time_value(state.backoff->since)}};
  return object;
}

json::Value identity_value(const ProcessIdentity& identity) {
  return json::Object{
      {"pid", identity.pid}, {"startTicks", identity.start_ticks}, {"bootID", identity.boot_id}};
}

Result<> read_waiting(const json::Value& value, const std::string& path, Waiting& into) {
  Fields fields(value, path);
  fields.read("reason", into.reason);
  fields.read("message", into.message);
  return fields.result();
}

Result<> read_running(const json::Value& value, const std::string& path, Running& into) {
  Fields fields(value, path);
  fields.read("startedAt", into.started_at);
  fields.read("pid", into.pid);
  fields.read("startTicks", into.start_ticks);
  return fields.result();
}

Result<> read_terminated(const json::Value& value, const std::string& path, Terminated& into) {
  Fields fields(value, path);
  fields.read("exitCode", into.exit_code);
  fields.read("signal", into.signal);
  fields.read("reason", into.reason);
  fields.read("message", into.message);
  fields.read("startedAt", into.started_at);
  fields.read("finishedAt", into.finished_at);
  return fields.result();
}

Result<> read_backoff(const json::Value& value, const std::string& path, Backoff& into) {
  Fields fields(value, path);
  fields.read("delay", into.delay);
  fields.read("since", into.since);
  return fields.result();
}

Result<> read_container(const json::Value& value, const std::string& path, ContainerState& into) {
  Fields fields(value, path);
  fields.read("name", into.name);
  fields.with("waiting", [&into](const json::Value& item, const std::string& at) {
    return read_waiting(item, at, into.now.emplace<Waiting>());
  });
  fields.with("running", [&into](const json::Value& item, const std::string& at) {
    return read_running(item, at, into.now.emplace<Running>());
  });
  fields.with("terminated", [&into](const json::Value& item, const std::string& at) {
    return read_terminated(item, at, into.now.emplace<Terminated>());
  });
  fields.read("image", into.image);
  fields.read("replaced", into.replaced);
  fields.read("restartCount", into.restart_count);
  fields.read("started", into.started);
  fields.with("lastTerminated", [&into](const json::Value& item, const std::string& at) {
    return read_terminated(item, at, into.last_terminated.emplace());
  });
  fields.read("log", into.log);
  fields.read("previousLog", into.previous_log);
  fields.with("backoff", [&into](const json::Value& item, const std::string& at) {
    return read_backoff(item, at, into.backoff.emplace());
  });
  return fields.result();
}

Result<> read_identity(const json::Value& value, const std::string& path, ProcessIdentity& into) {
  Fields fields(value, path);
  fields.read("pid", into.pid);
  fields.read("startTicks", into.start_ticks);
  fields.read("bootID", into.boot_id);
  return fields.result();
}

}  // namespace

json::Value to_json(const PodState& state) {
  json::Array init;
  for (const auto& container : state.init_containers) init.push_back(container_value(container));
  json::Array containers;
  for (const auto& container : state.containers) containers.push_back(container_value(container));
  return json::Object{{"shim", identity_value(state.shim)}, {"revision", state.revision},
                      {"initContainers", std::move(init)},  {"containers", std::move(containers)},
                      {"stopping", state.stopping},         {"ended", state.ended},
                      {"bindProblem", state.bind_problem},  {"mountProblem", state.mount_problem},
                      {"portProblem", state.port_problem}};
}

Result<PodState> parse_state(const json::Value& value) {
  PodState state;
  Fields fields(value, "");
  fields.with("shim", [&state](const json::Value& item, const std::string& path) {
    return read_identity(item, path, state.shim);
  });
  fields.read("revision", state.revision);
  fields.each("initContainers", kMaxContainersOfPod,
              [&state](const json::Value& item, const std::string& path) {
                return read_container(item, path, state.init_containers.emplace_back());
              });
  fields.each("containers", kMaxContainersOfPod,
              [&state](const json::Value& item, const std::string& path) {
                return read_container(item, path, state.containers.emplace_back());
              });
  fields.read("stopping", state.stopping);
  fields.read("ended", state.ended);
  fields.read("bindProblem", state.bind_problem);
  fields.read("mountProblem", state.mount_problem);
  fields.read("portProblem", state.port_problem);
  SLIPWAY_TRY(fields.result());
  return state;
}

Result<PodState> read_state(const std::string& folder) {
  auto text = file::read(folder + "/" + kStateFile, json::kMaxBytes);
  if (!text) return std::unexpected(text.error());
  auto value = json::read(*text);
  if (!value) return std::unexpected(value.error());
  return parse_state(*value);
}

Result<> write_state(const std::string& folder, const PodState& state) {
  const std::string text = json::write(to_json(state));
  const std::string path = folder + "/" + kStateFile;
  const std::string beside = path + ".new";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const auto failed = [&path] {
    return fail(ErrorCode::kInternal, fmt::format("cannot write {}: {}", path, strerror(errno)));
  };
  if (file < 0) return failed();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = ::write(file, text.data() + done, text.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      auto problem = failed();
      ::close(file);
      return problem;
    }
    done += static_cast<std::size_t>(put);
  }
  ::close(file);
  if (::rename(beside.c_str(), path.c_str()) != 0) return failed();
  return {};
}

}  // namespace slipway::runtime
