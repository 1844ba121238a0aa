#include "runtime/shim/inside/control.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxPeers = 256;
constexpr int kBacklog = 64;

}  // namespace

std::string control_path(int folder) {
  return fmt::format("/proc/self/fd/{}/{}", folder, kControlSocket);
}

ControlServer::~ControlServer() {
  for (const auto& [connection, peer] : peers_) poller_.forget(peer.socket.get());
  if (listener_) poller_.forget(listener_.get());
}

Result<> ControlServer::listen(int folder) {
  const std::string path = control_path(folder);
  ::unlinkat(folder, kControlSocket, 0);
  listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path));
  // The umask of a shim leaves the file to its owner.
  if (!listener_ ||
      ::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.get(), kBacklog) != 0)
    return fail(ErrorCode::kInternal,
                fmt::format("cannot listen on {}: {}", kControlSocket, strerror(errno)));
  poller_.when_readable(listener_.get(), [this] { accept(); });
  return {};
}

void ControlServer::accept() {
  for (int accepted = 0; accepted < kBacklog; ++accepted) {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    if (peers_.size() >= kMaxPeers) continue;
    const Connection connection = ++last_;
    const int fd = socket.get();
    peers_[connection].socket = std::move(socket);
    poller_.when_readable(fd, [this, connection] { read(connection); });
  }
}

void ControlServer::read(Connection connection) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  Peer& peer = found->second;
  char buffer[16 * 1024];
  const ssize_t got = ::read(peer.socket.get(), buffer, sizeof buffer);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0 || peer.in.size() + static_cast<std::size_t>(got) > kMaxMessage)
    return drop(connection);
  peer.in.append(buffer, static_cast<std::size_t>(got));
  const auto end = peer.in.find('\n');
  if (end == std::string::npos) return;
  // One request a connection; what follows it is not read.
  auto request = parse_request(std::string_view(peer.in).substr(0, end));
  peer.in.erase(0, end + 1);
  if (!request) return answer(connection, std::unexpected(request.error()));
  asked_(connection, std::move(*request));
}

void ControlServer::write(Connection connection) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  Peer& peer = found->second;
  while (!peer.out.empty()) {
    const ssize_t put =
        ::send(peer.socket.get(), peer.out.data(), peer.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno != EAGAIN) return drop(connection);
    if (put < 0) {
      poller_.when_writable(peer.socket.get(), [this, connection] { write(connection); });
      return;
    }
    peer.out.erase(0, static_cast<std::size_t>(put));
    if (peer.out.empty() && std::exchange(peer.behind, false)) peer.out = newest_;
  }
  poller_.stop_writing(peer.socket.get());
  if (!peer.watches) drop(connection);
}

void ControlServer::drop(Connection connection) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  poller_.forget(found->second.socket.get());
  peers_.erase(found);
}

void ControlServer::answer(Connection connection, const Result<json::Value>& answer) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  found->second.out += write_answer(answer);
  write(connection);
}

void ControlServer::add_watcher(Connection connection) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  found->second.watches = true;
  if (newest_.empty()) return;
  found->second.out = newest_;
  write(connection);
}

void ControlServer::tell(std::string state_line) {
  newest_ = std::move(state_line);
  std::vector<Connection> ready;
  for (auto& [connection, peer] : peers_) {
    if (!peer.watches) continue;
    peer.behind = !peer.out.empty();
    if (peer.behind) continue;
    peer.out = newest_;
    ready.push_back(connection);
  }
  for (const Connection connection : ready) write(connection);
}

bool ControlServer::has_unsent() const {
  return std::ranges::any_of(peers_, [](const auto& peer) { return !peer.second.out.empty(); });
}

}  // namespace slipway::runtime
