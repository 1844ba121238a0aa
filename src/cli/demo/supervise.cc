#include "cli/demo/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "runtime/shim/process_list.h"

namespace slipway::cli {

namespace {

namespace fs = std::filesystem;

// Containers have an environment of their own, with the mark of their Pod.
bool belongs_to(const std::string& folder, pid_t pid) {
  return runtime::variable_of(pid, kDemoMark) == folder ||
         runtime::variable_of(pid, runtime::kMarkFolder).starts_with(folder + "/");
}

void sweep(const std::string& folder) {
  runtime::kill_all([&](const std::vector<runtime::Process>& processes) {
    std::set<pid_t> ours;
    for (const auto& process : processes)
      if (process.pid != ::getpid() && belongs_to(folder, process.pid)) ours.insert(process.pid);
    return ours;
  });
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

sigset_t awaited_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int one : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::sigaddset(&signals, one);
  return signals;
}

timespec time_of(Duration duration) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  return {.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
}

struct Ended {
  int code = kExitFailed;
  bool by_itself = false;
};

Ended killed(pid_t child, const std::string& why) {
  ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::fflush(stdout);
  note(fmt::format("\nslipway: {}; nothing of the demo is left running", why));
  return {};
}

// `signals` are blocked.
Ended wait_for(pid_t child, const sigset_t& signals, Duration patience) {
  const timespec most = time_of(patience);
  while (true) {
    const int signal = ::sigtimedwait(&signals, nullptr, &most);
    if (signal < 0 && errno == EINTR) continue;
    if (signal < 0)
      return killed(child, fmt::format("the demo takes longer than {}", format_duration(patience)));
    if (signal != SIGCHLD) return killed(child, "interrupted");
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) != child) continue;
    if (WIFEXITED(status)) return {.code = WEXITSTATUS(status), .by_itself = true};
    note(fmt::format("slipway: the demo died by signal {}", WTERMSIG(status)));
    return {};
  }
}

}  // namespace

Result<std::string> make_demo_folder() {
  const char* base = std::getenv("TMPDIR");
  std::string folder = fmt::format("{}/slipway-demo-XXXXXX", base && *base ? base : "/tmp");
  if (!::mkdtemp(folder.data()))
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot make a folder {}: {}", folder, strerror(errno)));
  std::error_code wrong;
  folder = fs::canonical(folder, wrong).string();
  SLIPWAY_TRY(file::write(folder + "/" + kDemoFile, "", 0600));
  return folder;
}

int supervise(const std::string& folder, Duration patience, bool keep,
              const std::function<int()>& work) {
  const sigset_t signals = awaited_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::setenv(kDemoMark, folder.c_str(), 1);
    const int code = work();
    std::fflush(nullptr);
    ::_exit(code);
  }
  const Ended ended = child > 0 ? wait_for(child, signals, patience) : Ended{};
  if (child < 0) note(fmt::format("slipway: cannot start a process: {}", strerror(errno)));
  if (!keep || !ended.by_itself) sweep(folder);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return ended.code;
}

Result<> end_demo(const std::string& folder) {
  std::error_code wrong;
  const std::string canonical = fs::canonical(folder, wrong).string();
  if (wrong || !file::exists(canonical + "/" + kDemoFile))
    return fail(ErrorCode::kNotFound, fmt::format("no demo was kept in {}", folder));
  sweep(canonical);
  return {};
}

}  // namespace slipway::cli
