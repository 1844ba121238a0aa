#include "runtime/shim/inside/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "runtime/shim/inside/supervisor.h"
#include "runtime/shim/strays.h"

namespace slipway::runtime {

namespace {

constexpr int kExitFailed = 1;
constexpr int kLockTries = 50;
constexpr int kLockWait = 10;  // ms

void complain(const std::string& text) {
  const std::string line = text + "\n";
  // Nobody is left to be told when this fails.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

int block_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT}) ::sigaddset(&set, number);
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Held by the shim as long as it lives, so that a folder never has two. A server that sweeps up
// after a killed one holds it for a moment.
Descriptor lock_folder(int folder) {
  Descriptor lock(::openat(folder, kLockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  for (int tries = 0; lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || tries >= kLockTries) return Descriptor();
    ::poll(nullptr, 0, kLockWait);
    errno = EWOULDBLOCK;
  }
  return lock;
}

// The file was read, and is none of ours: a machine that lost power may have lost the text. That is
// the past alone, as state.h has it.
bool is_damaged(const Error& error) {
  return error.code == ErrorCode::kBadRequest || error.code == ErrorCode::kInvalid;
}

// The process that runs the Pod. `ready` tells the one who started it.
int supervise(const std::string& folder, int folder_descriptor, int ready) {
  ::prctl(PR_SET_NAME, "pod-shim");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::umask(077);
  auto plan = read_plan(folder);
  if (!plan) return complain(plan.error().text()), kExitFailed;
  auto last = read_state(folder);
  if (!last && last.error().code != ErrorCode::kNotFound) {
    complain(last.error().text());
    if (!is_damaged(last.error())) return kExitFailed;
  }
  if (last && last->ended) return complain("the Pod of this folder has ended"), kExitFailed;
  // What a killed shim has left: its containers died with it, what they started perhaps not.
  kill_strays_of(folder);
  auto state = last ? resumed_state(*plan, std::move(*last), clock_now()) : initial_state(*plan);
  Supervisor supervisor(folder, std::move(*plan), std::move(state));
  const Descriptor signals(block_signals());
  if (const auto prepared = supervisor.prepare(folder_descriptor, signals.get()); !prepared)
    return complain(prepared.error().text()), kExitFailed;

  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
  const Descriptor complaints(
      ::openat(folder_descriptor, "shim.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  ::dup2(complaints ? complaints.get() : nothing.get(), STDERR_FILENO);
  if (::write(ready, "r", 1) != 1) return kExitFailed;
  ::close(ready);
  supervisor.run();
  ::unlinkat(folder_descriptor, kControlSocket, 0);
  return 0;
}

}  // namespace

int run_pod_shim(const std::string& folder) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(folder.c_str(), nullptr), ::free);
  const Descriptor open(real ? ::open(real.get(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (!open || ::chdir("/") != 0)
    return complain(fmt::format("cannot open the Pod's folder {}: {}", folder, strerror(errno))),
           kExitFailed;
  const Descriptor lock = lock_folder(open.get());
  if (!lock) {
    const bool runs = errno == EWOULDBLOCK;
    complain(fmt::format("cannot lock {}: {}", folder, strerror(errno)));
    return runs ? kExitShimRuns : kExitFailed;
  }
  Pipe ready = make_pipe();
  if (!ready.read) return complain("no more file descriptors"), kExitFailed;
  const pid_t pid = ::fork();
  if (pid < 0) return complain(fmt::format("cannot fork: {}", strerror(errno))), kExitFailed;
  if (pid == 0) {
    ready.read.reset();
    ::setsid();
    return supervise(real.get(), open.get(), ready.write.release());
  }
  ready.write.reset();
  ::fcntl(ready.read.get(), F_SETFL, 0);
  char byte = 0;
  while (true) {
    const ssize_t got = ::read(ready.read.get(), &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    return got == 1 ? 0 : kExitFailed;
  }
}

}  // namespace slipway::runtime
