#include "runtime/shim/inside/container_process.h"

#include <unistd.h>

#include <cerrno>

#include "runtime/shim/process_list.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kReadSize = 64 * 1024;
// A writer that nothing stops must not keep the end of a container from being told.
constexpr int kMaxLastReads = 64;

}  // namespace

ContainerProcess::ContainerProcess(Poller& poller, Which which, Launched launched, LogFile log,
                                   in_addr pod)
    : poller_(poller),
      which_(which),
      pid_(launched.pid),
      view_(launched.view),
      log_(std::move(log)),
      output_{.from = std::move(launched.output), .lines = LogLines("stdout")},
      errors_{.from = std::move(launched.errors), .lines = LogLines("stderr")} {
  poller_.when_readable(output_.from.get(), [this] { read(output_); });
  poller_.when_readable(errors_.from.get(), [this] { read(errors_); });
  if (!launched.binds) return;
  binds_.emplace(std::move(launched.binds), pod);
  poller_.when_readable(binds_->descriptor(), [this] { answer_bind(); });
}

ContainerProcess::~ContainerProcess() {
  close(output_);
  close(errors_);
  if (binds_) poller_.forget(binds_->descriptor());
}

bool ContainerProcess::read(Stream& stream) {
  if (!stream.from) return false;
  char buffer[kReadSize];
  const ssize_t got = ::read(stream.from.get(), buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    close(stream);
    return false;
  }
  log_.write(stream.lines.add({buffer, static_cast<std::size_t>(got)}, clock_now()));
  return true;
}

void ContainerProcess::close(Stream& stream) {
  if (!stream.from) return;
  log_.write(stream.lines.finish(clock_now()));
  poller_.forget(stream.from.get());
  stream.from.reset();
}

void ContainerProcess::answer_bind() {
  const bool goes_on = binds_->answer();
  last_bind_ = binds_->last();
  if (goes_on) return;
  poller_.forget(binds_->descriptor());
  binds_.reset();
}

void ContainerProcess::finish() {
  for (Stream* stream : {&output_, &errors_}) {
    for (int reads = 0; reads < kMaxLastReads && read(*stream); ++reads) continue;
    close(*stream);
  }
}

std::string ContainerProcess::take_bind_problem() {
  return binds_ ? binds_->take_problem() : std::string();
}

void kill_container_processes(pid_t first, const std::string& name, const std::set<pid_t>& others) {
  kill_all([&](const std::vector<Process>& processes) {
    const auto below = descendants(processes, {::getpid()}, others);
    std::set<pid_t> own;
    for (const auto& process : processes) {
      if (!below.contains(process.pid) || process.pid == ::getpid()) continue;
      if (process.session == first || variable_of(process.pid, kMarkContainer) == name)
        own.insert(process.pid);
    }
    return descendants(processes, own, others);
  });
}

}  // namespace slipway::runtime
