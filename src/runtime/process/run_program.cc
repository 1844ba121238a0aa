#include "runtime/process/run_program.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/process/descriptor.h"
#include "runtime/process/spawn_settings.h"

extern char** environ;

namespace slipway::runtime {

namespace {

// Until the program has closed its output; false when nothing came for too long.
bool read_output(int from, Duration patience, std::string& output) {
  const int wait_ms =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(patience).count());
  while (true) {
    pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, wait_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    char buffer[4096];
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return true;
    output.append(buffer,
                  std::min(kMaxProgramOutput - output.size(), static_cast<std::size_t>(got)));
  }
}

}  // namespace

Result<Ran> run_program(std::vector<std::string> argv, Duration patience) {
  Pipe pipe = make_pipe();
  if (!pipe.read) return fail(ErrorCode::kUnavailable, "no more file descriptors");
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  const SpawnSettings settings(pipe.write.get());
  pid_t pid = 0;
  const int wrong =
      ::posix_spawn(&pid, words[0], &settings.actions, &settings.attributes, words.data(), environ);
  if (wrong)
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot run {}: {}", argv[0], strerror(wrong)));
  pipe.write.reset();
  Ran ran;
  const bool ended = read_output(pipe.read.get(), patience, ran.output);
  if (!ended) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return fail(ErrorCode::kInternal, "its end cannot be waited for");
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!ended)
    return fail(ErrorCode::kTimeout,
                fmt::format("{} takes longer than {}", argv[0], format_duration(patience)));
  return ran;
}

}  // namespace slipway::runtime
