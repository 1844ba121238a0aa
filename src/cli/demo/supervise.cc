#include "cli/demo/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

// True when it ended well.
bool wait_for_end(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Ended {
  int code = kExitFailed;
  bool by_itself = false;
};

Ended killed(pid_t child, const std::string& why) {
  ::kill(child, SIGKILL);
  wait_for_end(child);
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

// A process that sweeps once this one and its children have come to their end, also by a SIGKILL,
// which nobody can catch. In a session of its own: what is sent to the group of a terminal or a job
// does not reach it. Whoever reads our output reads until it is done.
class Sweeper {
 public:
  explicit Sweeper(const std::string& folder) : folder_(folder) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setsid();
      ::prctl(PR_SET_NAME, "demo-sweeper");
      ::close(ends[1]);
      wait_and_sweep(folder, ends[0]);
    }
    ::close(ends[0]);
    line_ = ends[1];
  }
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;
  // Once it is swept, unless it is kept.
  ~Sweeper() {
    if (line_ >= 0) ::close(line_);
    const bool done = pid_ > 0 && wait_for_end(pid_);
    if (!done && !kept_) sweep(folder_);
  }

  bool is_there() const { return pid_ > 0; }
  void keep() { kept_ = ::send(line_, "k", 1, MSG_NOSIGNAL) == 1; }

 private:
  // The child that works holds the line, too, and what it starts until it is another program: then
  // it has the mark. So the line's end is the moment to look.
  [[noreturn]] static void wait_and_sweep(const std::string& folder, int line) {
    char word = 0;
    ssize_t got = 0;
    while ((got = ::read(line, &word, 1)) < 0 && errno == EINTR) {
    }
    if (got <= 0) sweep(folder);
    ::_exit(0);
  }

  const std::string& folder_;
  pid_t pid_ = -1;
  int line_ = -1;
  bool kept_ = false;
};

[[noreturn]] void work_and_exit(const std::string& folder, pid_t parent, const sigset_t& before,
                                const std::function<int()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kExitFailed);  // it died before we asked to be told
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::setenv(kDemoMark, folder.c_str(), 1);
  const int code = work();
  std::fflush(nullptr);
  ::_exit(code);
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
  const pid_t self = ::getpid();
  Ended ended;
  {
    Sweeper sweeper(folder);
    const pid_t child = sweeper.is_there() ? ::fork() : -1;
    if (child == 0) work_and_exit(folder, self, before, work);
    if (child < 0) note(fmt::format("slipway: cannot start a process: {}", strerror(errno)));
    if (child > 0) ended = wait_for(child, signals, patience);
    if (keep && ended.by_itself) sweeper.keep();
  }
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
