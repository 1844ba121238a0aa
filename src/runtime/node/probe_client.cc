#include "runtime/node/probe_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "async/completion.h"
#include "async/readiness.h"
#include "runtime/node/addresses.h"
#include "runtime/node/listening.h"

namespace slipway::runtime {

namespace {

constexpr int kTimedOut = ETIMEDOUT;
constexpr int kMaxRedirects = 10;

// The host of "http://host:port/path", with brackets where it has some.
std::string_view host_of(std::string_view url) {
  url.remove_prefix(std::min(url.size(), url.find("://") + 3));
  if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);
  return url.substr(0, url.find_first_of(":/?#"));
}

// Where a redirect leads; empty: nowhere, or to another host, which is the answer then.
std::string followed(const std::string& url, std::string_view location) {
  if (location.starts_with("http://") || location.starts_with("https://"))
    return host_of(location) == host_of(url) ? std::string(location) : std::string();
  if (!location.starts_with('/') || location.starts_with("//")) return {};
  return url.substr(0, url.find('/', url.find("://") + 3)) + std::string(location);
}

// 0, or the errno of why it could not be.
Task<int> connect_tcp(Loop& loop, std::uint32_t address, std::uint16_t port, Duration timeout) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) co_return errno;
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(address);
  int problem = 0;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) problem = errno;
  if (problem == EINPROGRESS) {
    const Completion<int> done(loop);
    Readiness readiness(loop, socket);
    readiness.when_writable([done, socket] {
      int error = 0;
      socklen_t size = sizeof(error);
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
      done.set(error);
    });
    const auto timer = loop.clock().call_after(timeout, [done] { done.set(kTimedOut); });
    problem = co_await done;
  }
  ::close(socket);
  co_return problem;
}

}  // namespace

http::Client& NetworkProbes::client(bool tls) {
  auto& made = tls ? trusting_ : plain_;
  if (!made)
    made = tls ? http::make_client(loop_, {.verify = false, .http2 = false})
               : http::make_client(loop_);
  return *made;
}

Task<ProbeAnswer> NetworkProbes::ask(std::string uid, std::string container, std::string pod_ip,
                                     ProbeSpec spec, std::stop_token stop) {
  using Action = ProbeSpec::Action;
  if (spec.action == Action::kExec)
    co_return co_await run(std::move(uid), std::move(container), std::move(spec));
  if (spec.action == Action::kGrpc)
    co_return ProbeAnswer{.message =
                              "grpc probes are not asked on this node; use exec, httpGet or "
                              "tcpSocket"};
  if (spec.port == 0)
    co_return ProbeAnswer{.message = "the port it names is none of the container's"};
  if (spec.host.empty() && is_answered_from_outside(uid, pod_ip, spec.port))
    co_return ProbeAnswer{
        .message = fmt::format("port {} of {} is answered by a program outside of the Pod, which "
                               "listens at all addresses; end it, or choose another port",
                               spec.port, pod_ip)};
  std::string host = spec.host.empty() ? std::move(pod_ip) : spec.host;
  if (spec.action == Action::kHttp)
    co_return co_await get(std::move(host), std::move(spec), std::move(stop));
  co_return co_await connect(std::move(host), std::move(spec));
}

bool NetworkProbes::is_answered_from_outside(const std::string& uid, const std::string& pod_ip,
                                             std::uint16_t port) const {
  const auto address = parse_address(pod_ip);
  if (!address || !kPodAddresses.contains(*address)) return false;
  // Where binds are not redirected, a wildcard may be the Pod's own.
  const HostedPod* pod = host_.find(uid);
  if (pod && pod->state && !pod->state->bind_problem.empty()) return false;
  return is_reached_by_wildcard(*address, port);
}

Task<ProbeAnswer> NetworkProbes::run(std::string uid, std::string container, ProbeSpec spec) {
  auto answer = co_await host_.exec(std::move(uid), std::move(container), spec.argv, spec.timeout);
  if (!answer) co_return ProbeAnswer{.message = answer.error().text()};
  if (answer->timed_out)
    co_return ProbeAnswer{.message = fmt::format("command timed out: \"{}\" timed out after {}",
                                                 fmt::join(spec.argv, " "),
                                                 format_duration(spec.timeout))};
  co_return ProbeAnswer{.success = answer->exit_code == 0, .message = std::move(answer->output)};
}

Task<ProbeAnswer> NetworkProbes::get(std::string host, ProbeSpec spec, std::stop_token stop) {
  const std::string shown = host.find(':') != std::string::npos ? "[" + host + "]" : host;
  std::string url =
      fmt::format("{}://{}:{}{}", spec.tls ? "https" : "http", shown, spec.port, spec.path);
  const Duration until = loop_.clock().uptime() + spec.timeout;
  for (int redirects = 0; redirects <= kMaxRedirects; ++redirects) {
    http::ClientRequest request{.url = url, .timeout = until - loop_.clock().uptime()};
    request.headers.set("User-Agent", "kube-probe/1.34");
    request.headers.set("Accept", "*/*");
    for (const auto& [name, value] : spec.headers) request.headers.set(name, value);
    const auto failed = [&url](const Error& error) {
      return ProbeAnswer{.message = fmt::format("Get \"{}\": {}", url, error.text())};
    };
    auto opened = co_await client(url.starts_with("https:")).open(std::move(request), stop);
    if (!opened) co_return failed(opened.error());
    const int status = (*opened)->status();
    // Read to the end where that is near: programs complain of clients that hang up.
    for (std::size_t read = 0; read < kMaxProbeBody;) {
      auto piece = co_await (*opened)->next(until - loop_.clock().uptime(), stop);
      if (!piece) co_return failed(piece.error());
      if (piece->empty()) break;
      read += piece->size();
    }
    std::string next;
    if (status >= 300 && status < 400) next = followed(url, (*opened)->headers().get("Location"));
    if (next.empty() && status >= 200 && status < 400) co_return ProbeAnswer{.success = true};
    if (next.empty())
      co_return ProbeAnswer{.message =
                                fmt::format("HTTP probe failed with statuscode: {}", status)};
    url = std::move(next);
  }
  co_return ProbeAnswer{.message = fmt::format("stopped after {} redirects", kMaxRedirects)};
}

Task<ProbeAnswer> NetworkProbes::connect(std::string host, ProbeSpec spec) {
  const auto address = parse_address(host == "localhost" ? "127.0.0.1" : host);
  if (!address)
    co_return ProbeAnswer{.message = fmt::format(
                              "host \"{}\" is not an address; write 127.0.0.1, for example", host)};
  const int problem = co_await connect_tcp(loop_, *address, spec.port, spec.timeout);
  if (problem == 0) co_return ProbeAnswer{.success = true};
  co_return ProbeAnswer{
      .message = fmt::format("dial tcp {}:{}: {}", host, spec.port,
                             problem == kTimedOut ? "i/o timeout" : std::strerror(problem))};
}

}  // namespace slipway::runtime
