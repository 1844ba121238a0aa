#include "cli/demo/program.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/process/descriptor.h"
#include "runtime/process/spawn_settings.h"

extern char** environ;

namespace slipway::cli {

namespace {

// The port that could be bound, 0 when none could.
int bound_port(const std::string& address, int port) {
  const runtime::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
  socklen_t size = sizeof at;
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      ::listen(socket.get(), 1) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size) != 0)
    return 0;
  return ntohs(at.sin_port);
}

}  // namespace

Result<std::string> own_program() {
  std::error_code wrong;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", wrong);
  if (wrong) return fail(ErrorCode::kInternal, "cannot find this program: " + wrong.message());
  return path.string();
}

Result<pid_t> start_program(std::vector<std::string> argv, const std::string& log) {
  std::vector<char*> words;
  words.reserve(argv.size() + 1);
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  const runtime::SpawnSettings settings(log);
  pid_t pid = 0;
  const int wrong =
      ::posix_spawn(&pid, words[0], &settings.actions, &settings.attributes, words.data(), environ);
  if (wrong)
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot run {}: {}", argv[0], strerror(wrong)));
  return pid;
}

bool runs(pid_t pid) {
  int status = 0;
  return ::waitpid(pid, &status, WNOHANG) == 0;
}

void rest(Duration duration) {
  ::poll(nullptr, 0,
         static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
}

Result<int> free_port(const std::string& address, int wanted) {
  if (const int port = bound_port(address, wanted); port != 0) return port;
  if (const int port = bound_port(address, 0); port != 0) return port;
  return fail(ErrorCode::kUnavailable, fmt::format("no port of {} is free", address));
}

}  // namespace slipway::cli
