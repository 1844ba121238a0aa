#include "runtime/shim/inside/commands.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace slipway::runtime {

namespace {

constexpr int kCannotRun = 126;

}  // namespace

Commands::~Commands() {
  for (const auto& [pid, command] : running_) {
    if (command.output) poller_.forget(command.output.get());
    if (command.errors) poller_.forget(command.errors.get());
  }
}

void Commands::run(const Launch& launch, Duration timeout, Done done) {
  auto launched = runtime::launch(launch);
  if (!launched) {
    done({.exit_code = kCannotRun, .output = launched.error().message});
    return;
  }
  const pid_t pid = launched->pid;
  add(pid, std::move(*launched), timeout, std::move(done));
}

void Commands::get(const Hook& hook, const std::string& pod_ip, Duration timeout, Done done) {
  const pid_t pid = launch_work([&] {
    const int status = http_status(hook, pod_ip, timeout);
    return status >= 200 && status < 400 ? 0 : 1;
  });
  if (pid < 0) {
    done({.exit_code = kCannotRun, .output = "cannot fork"});
    return;
  }
  add(pid, Launched{.pid = pid}, timeout, std::move(done));
}

void Commands::add(pid_t pid, Launched launched, Duration timeout, Done done) {
  Command& command = running_[pid];
  command.deadline = clock_uptime() + timeout;
  command.done = std::move(done);
  command.output = std::move(launched.output);
  command.errors = std::move(launched.errors);
  if (!command.output) return;
  poller_.when_readable(command.output.get(), [this, pid] { read(pid, &Command::output); });
  poller_.when_readable(command.errors.get(), [this, pid] { read(pid, &Command::errors); });
}

void Commands::drain(Command& command, const Descriptor& from) {
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(from.get(), buffer, sizeof buffer)) > 0) {
    const auto room = kMaxExecOutput - std::min(kMaxExecOutput, command.text.size());
    command.text.append(buffer, std::min(room, static_cast<std::size_t>(got)));
    if (room == 0) return;  // the rest in the next round, so that a flood does not hold us
  }
}

void Commands::read(pid_t pid, Descriptor Command::* from) {
  const auto found = running_.find(pid);
  if (found == running_.end()) return;
  Descriptor& descriptor = found->second.*from;
  char buffer[4096];
  const ssize_t got = ::read(descriptor.get(), buffer, sizeof buffer);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    poller_.forget(descriptor.get());
    descriptor.reset();
    return;
  }
  auto& text = found->second.text;
  const auto room = kMaxExecOutput - std::min(kMaxExecOutput, text.size());
  text.append(buffer, std::min(room, static_cast<std::size_t>(got)));
}

bool Commands::ended(pid_t pid, int exit_code) {
  const auto found = running_.find(pid);
  if (found == running_.end()) return false;
  Command command = std::move(found->second);
  running_.erase(found);
  for (Descriptor* end : {&command.output, &command.errors}) {
    if (!*end) continue;
    drain(command, *end);
    poller_.forget(end->get());
    end->reset();
  }
  command.done(
      {.exit_code = exit_code, .timed_out = command.timed_out, .output = std::move(command.text)});
  return true;
}

std::optional<Duration> Commands::check_time() {
  std::optional<Duration> next;
  for (auto& [pid, command] : running_) {
    if (command.timed_out) continue;
    if (command.deadline <= clock_uptime()) {
      command.timed_out = true;
      ::kill(-pid, SIGKILL);
    } else {
      next = next ? std::min(*next, command.deadline) : command.deadline;
    }
  }
  return next;
}

}  // namespace slipway::runtime
