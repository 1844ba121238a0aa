#include "http/listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace slipway::http {

namespace {

using namespace std::chrono_literals;

constexpr int kBacklog = 1024;
constexpr int kMaxAcceptedInTurn = 64;
// Out of descriptors or memory: asking again at once would only spin.
constexpr Duration kPauseWhenExhausted = 100ms;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof value);
}

// A client whose machine has gone without a word is noticed after two minutes.
void tune(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 15);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 4);
}

std::string format_address(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    return fmt::format("[{}]:{}", text.data(), ntohs(v6.sin6_port));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
  return fmt::format("{}:{}", text.data(), ntohs(v4.sin_port));
}

sockaddr_storage local_end(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

std::uint16_t local_port(int socket) {
  const sockaddr_storage address = local_end(socket);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

std::string local_address(int socket) {
  std::string text = format_address(local_end(socket));
  text.erase(text.rfind(':'));
  if (!text.starts_with('[')) return text;
  text = text.substr(1, text.size() - 2);
  // What a listener on [::] is asked by IPv4.
  constexpr std::string_view kMapped = "::ffff:";
  return text.starts_with(kMapped) ? text.substr(kMapped.size()) : text;
}

Result<std::unique_ptr<Listener>> Listener::open(Loop& loop, const std::string& address,
                                                 std::uint16_t port, Accepted accepted) {
  auto unavailable = [&](const char* reason) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot listen on {}:{}: {}", address, port, reason));
  };
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  int looked_up = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (looked_up != 0) return unavailable(gai_strerror(looked_up));
  std::unique_ptr<addrinfo, FreeAddresses> list(found);

  int socket = ::socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return unavailable(std::strerror(errno));
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(socket, list->ai_addr, list->ai_addrlen) != 0 || ::listen(socket, kBacklog) != 0) {
    int why = errno;
    close(socket);
    return unavailable(std::strerror(why));
  }
  return std::unique_ptr<Listener>(new Listener(loop, socket, std::move(accepted)));
}

Listener::Listener(Loop& loop, int socket, Accepted accepted)
    : loop_(loop),
      socket_(socket),
      port_(local_port(socket)),
      accepted_(std::move(accepted)),
      readiness_(std::make_unique<Readiness>(loop, socket)) {
  wait();
}

Listener::~Listener() {
  readiness_.reset();
  close(socket_);
}

void Listener::wait() {
  readiness_->when_readable([this] { accept_some(); });
}

void Listener::accept_some() {
  for (int i = 0; i < kMaxAcceptedInTurn; ++i) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    int socket = accept4(socket_, reinterpret_cast<sockaddr*>(&address), &size,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      exhausted_ = false;
      tune(socket);
      accepted_(socket, format_address(address));
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      if (!std::exchange(exhausted_, true))
        log::warning("http", "cannot accept connections for now: {}", std::strerror(errno));
      pause_ = loop_.clock().call_after(kPauseWhenExhausted, [this] { wait(); });
      return;
    }
    if (errno != ECONNABORTED && errno != EINTR) break;
  }
  wait();
}

}  // namespace slipway::http
