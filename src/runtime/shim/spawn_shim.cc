#include "runtime/shim/spawn_shim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "runtime/shim/control_dial.h"
#include "runtime/shim/inside/run.h"
#include "runtime/shim/process_list.h"

extern char** environ;

namespace slipway::runtime {

namespace {

constexpr int kReadyTimeout = 30'000;  // ms
constexpr int kAnswerTries = 250;
constexpr int kAnswerWait = 20;  // ms
constexpr std::size_t kMaxComplaint = 4096;

// Attributes and file actions of posix_spawn, freed in the end.
struct SpawnSettings {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

  explicit SpawnSettings(int errors) {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&actions);
    sigset_t signals;
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  }
  ~SpawnSettings() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

// What the starting process complains about, until it has ended or handed over.
std::string read_complaints(int from, bool& timed_out) {
  std::string text;
  while (true) {
    pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, kReadyTimeout);
    if (ready < 0 && errno == EINTR) continue;
    timed_out = ready == 0;
    char buffer[1024];
    const ssize_t got = ready == 1 ? ::read(from, buffer, sizeof buffer) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    if (text.size() < kMaxComplaint) text.append(buffer, static_cast<std::size_t>(got));
  }
}

int wait_for_exit(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Another server, killed meanwhile, has started it.
Result<> wait_until_it_answers(const std::string& folder) {
  for (int tries = 0; tries < kAnswerTries; ++tries) {
    if (dial(folder)) return {};
    ::poll(nullptr, 0, kAnswerWait);
  }
  return fail(ErrorCode::kUnavailable, fmt::format("the shim of {} does not answer", folder));
}

}  // namespace

Result<> spawn_shim(const std::string& folder, const ShimProgram& program) {
  Pipe errors = make_pipe();
  if (!errors.read) return fail(ErrorCode::kUnavailable, "no more file descriptors");
  std::vector<std::string> words = program.argv;
  words.push_back(folder);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  SpawnSettings settings(errors.write.get());
  pid_t pid = 0;
  const int wrong =
      ::posix_spawn(&pid, argv[0], &settings.actions, &settings.attributes, argv.data(), environ);
  if (wrong)
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot run {}: {}", argv[0], strerror(wrong)));
  errors.write.reset();
  bool timed_out = false;
  const std::string complaints = read_complaints(errors.read.get(), timed_out);
  if (timed_out) ::kill(-pid, SIGKILL);
  const int code = wait_for_exit(pid);
  if (code == 0) return {};
  if (code == kExitShimRuns) return wait_until_it_answers(folder);
  return fail(ErrorCode::kUnavailable,
              fmt::format("the shim of {} cannot start: {}", folder,
                          timed_out ? "it takes too long" : text::trim(complaints)));
}

void sweep_after(const std::string& folder) {
  const Descriptor lock(
      ::open((folder + "/" + kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code wrong;
  kill_strays_of(std::filesystem::weakly_canonical(folder, wrong).string());
}

}  // namespace slipway::runtime
