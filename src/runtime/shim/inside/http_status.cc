#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "runtime/shim/inside/commands.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxStatusLine = 256;

// Waits until the socket is ready for `events`, before `deadline`.
bool wait_for(int socket, short events, Duration deadline) {
  const Duration left = std::max(deadline - clock_uptime(), Duration::zero());
  pollfd wait{.fd = socket, .events = events, .revents = 0};
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return ::poll(&wait, 1, static_cast<int>(std::min<std::int64_t>(milliseconds, 3'600'000))) == 1;
}

std::string request_text(const Hook& hook, const std::string& host) {
  std::string text = fmt::format("GET {}{} HTTP/1.1\r\n",
                                 hook.http_path.starts_with('/') ? "" : "/", hook.http_path);
  bool has_host = false;
  for (const auto& [name, value] : hook.http_headers) {
    text += fmt::format("{}: {}\r\n", name, value);
    has_host = has_host || name == "Host";
  }
  if (!has_host) text += fmt::format("Host: {}:{}\r\n", host, hook.http_port);
  return text + "User-Agent: kube-lifecycle/\r\nConnection: close\r\n\r\n";
}

bool connect_to(int socket, const std::string& host, std::uint16_t port, Duration deadline) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) return false;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return true;
  int error = 0;
  socklen_t length = sizeof error;
  return errno == EINPROGRESS && wait_for(socket, POLLOUT, deadline) &&
         ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

}  // namespace

int http_status(const Hook& hook, const std::string& pod_ip, Duration timeout) {
  const Duration deadline = clock_uptime() + timeout;
  const std::string& host = hook.http_host.empty() ? pod_ip : hook.http_host;
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || !connect_to(socket.get(), host, hook.http_port, deadline)) return 0;
  std::string text = request_text(hook, host);
  while (!text.empty() && wait_for(socket.get(), POLLOUT, deadline)) {
    const ssize_t put = ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (put <= 0) return 0;
    text.erase(0, static_cast<std::size_t>(put));
  }
  std::string line;
  while (line.find("\r\n") == std::string::npos && line.size() < kMaxStatusLine &&
         wait_for(socket.get(), POLLIN, deadline)) {
    char buffer[kMaxStatusLine];
    const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
    if (got <= 0) break;
    line.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  if (line.starts_with("HTTP/1.") && line.size() > 12)
    std::from_chars(line.data() + 9, line.data() + 12, status);
  return status;
}

}  // namespace slipway::runtime
