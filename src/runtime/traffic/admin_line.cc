#include "runtime/traffic/admin_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.h"
#include "runtime/traffic/render.h"

namespace slipway::runtime::traffic {

namespace {

constexpr timeval kPatience{.tv_sec = 5, .tv_usec = 0};
// Old and new proxy are both there for moments.
constexpr int kCalls = 200;
constexpr int kBetweenCallsMs = 10;
constexpr std::string_view kPrompt = "\n> ";

std::unexpected<Error> lost(std::string_view what) {
  const bool late = errno == EAGAIN || errno == EWOULDBLOCK;
  return fail(late ? ErrorCode::kTimeout : ErrorCode::kUnavailable,
              fmt::format("the proxy does not {}: {}", what, strerror(errno)));
}

}  // namespace

Result<AdminLine> AdminLine::open(const std::string& folder) {
  // Paths of sockets are short; that of the folder may not be.
  const Descriptor where(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!where) return lost("have its folder");
  const std::string path = fmt::format("/proc/self/fd/{}/{}", where.get(), kAdminSocket);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return lost("get a socket");
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return lost("answer");
  AdminLine line(std::move(socket));
  auto greeting = line.ask("prompt");
  if (!greeting) return std::unexpected(std::move(greeting).error());
  return line;
}

Result<AdminLine> AdminLine::open_to(const std::string& folder, pid_t process) {
  for (int call = 0; call < kCalls; ++call) {
    auto line = open(folder);
    if (!line) return line;
    const auto answering = line->process();
    if (answering && *answering == process) return line;
    ::poll(nullptr, 0, kBetweenCallsMs);
  }
  return fail(ErrorCode::kUnavailable,
              fmt::format("the proxy of process {} does not answer: another does", process));
}

Result<pid_t> AdminLine::process() {
  auto info = ask("show info");
  if (!info) return std::unexpected(std::move(info).error());
  constexpr std::string_view kMark = "\nPid: ";
  const auto at = info->find(kMark);
  pid_t pid = 0;
  if (at != std::string::npos)
    std::from_chars(info->data() + at + kMark.size(), info->data() + info->size(), pid);
  if (pid <= 0) return fail(ErrorCode::kInternal, "the proxy does not say which process it is");
  return pid;
}

Result<std::string> AdminLine::ask(const std::string& command) {
  const std::string text = command + "\n";
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t put = ::send(socket_.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return lost("take a command");
    sent += static_cast<std::size_t>(put);
  }
  return receive();
}

Result<std::string> AdminLine::receive() {
  std::string answer;
  while (!answer.ends_with(kPrompt)) {
    char buffer[16 * 1024];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = ECONNRESET;
    if (got <= 0) return lost("answer");
    answer.append(buffer, static_cast<std::size_t>(got));
    if (answer.size() > kMaxAnswer)
      return fail(ErrorCode::kTooLarge, "the proxy's answer does not end");
  }
  answer.resize(answer.size() - kPrompt.size());
  return std::string(text::trim(answer));
}

}  // namespace slipway::runtime::traffic
