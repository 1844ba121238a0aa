#include "http/server.h"

#include <unistd.h>

#include <algorithm>
#include <unordered_set>

#include "async/gate.h"
#include "base/log.h"
#include "http/connection.h"
#include "http/listener.h"
#include "http/set_certificate.h"

namespace slipway::http {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kScratch = 64 * 1024;

class TcpServer final : public Server {
 public:
  TcpServer(Loop& loop, ServerOptions options, Handler& handler, std::unique_ptr<TlsContext> tls)
      : loop_(loop),
        options_(std::move(options)),
        tls_(std::move(tls)),
        bodies_(options_.max_bodies),
        setting_{loop, options_, handler, tls_.get(), bodies_},
        scratch_(kScratch),
        gate_(loop),
        left_(loop) {}

  Result<void> open() {
    auto accepted = [this](int socket, std::string peer) { admit(socket, std::move(peer)); };
    auto listener = Listener::open(loop_, options_.address, options_.port, std::move(accepted));
    if (!listener) return fail(std::move(listener).error());
    listener_ = std::move(*listener);
    port_ = listener_->port();
    return {};
  }

  std::uint16_t port() const override { return port_; }
  Counters counters() const override {
    return {.connections_open = connections_.size(),
            .connections_total = total_,
            .connections_refused = refused_};
  }
  Task<> stop(Duration grace) override;
  Result<> use(const KeyPair& pair) {
    SLIPWAY_ASSERT(tls_ != nullptr);
    return tls_->use(pair.certificate_pem, pair.key_pem);
  }

 private:
  void admit(int socket, std::string peer);
  Task<> serve(std::unique_ptr<Connection> connection);
  void check_deadlines();
  Duration check_interval() const;

  Loop& loop_;
  ServerOptions options_;
  std::unique_ptr<TlsContext> tls_;
  BodyBudget bodies_;
  ConnectionSetting setting_;
  std::vector<char> scratch_;
  std::unique_ptr<Listener> listener_;
  std::uint16_t port_ = 0;
  std::unordered_set<Connection*> connections_;
  std::uint64_t total_ = 0;
  std::uint64_t refused_ = 0;
  bool full_ = false;  // and that was said
  std::unique_ptr<Clock::Timer> check_;
  Gate gate_;
  Signal left_;
};

void TcpServer::admit(int socket, std::string peer) {
  if (connections_.size() >= options_.max_connections) {
    ++refused_;
    if (!full_)
      log::warning("http", "{} connections are open: more are closed until some go",
                   connections_.size());
    full_ = true;
    close(socket);
    return;
  }
  full_ = false;
  auto connection = std::make_unique<Connection>(setting_, socket, std::move(peer), scratch_);
  connections_.insert(connection.get());
  ++total_;
  if (!check_) check_deadlines();
  gate_.spawn(serve(std::move(connection)));
}

Task<> TcpServer::serve(std::unique_ptr<Connection> connection) {
  co_await connection->run();
  connections_.erase(connection.get());
  connection.reset();
  left_.notify_all();
}

// One timer for all connections: a deadline each would mean a timer made and dropped a request.
void TcpServer::check_deadlines() {
  Duration now = loop_.clock().uptime();
  for (Connection* connection : connections_) connection->expire(now);
  check_ = connections_.empty()
               ? nullptr
               : loop_.clock().call_after(check_interval(), [this] { check_deadlines(); });
}

Duration TcpServer::check_interval() const {
  Duration shortest = std::min({options_.header_timeout, options_.body_timeout,
                                options_.idle_timeout, options_.write_timeout});
  return std::clamp<Duration>(shortest / 4, 10ms, 1s);
}

Task<> TcpServer::stop(Duration grace) {
  listener_.reset();
  for (Connection* connection : connections_) connection->wind_down();
  Duration until = loop_.clock().uptime() + grace;
  while (!connections_.empty()) {
    Duration rest = until - loop_.clock().uptime();
    if (rest <= Duration::zero()) break;
    co_await left_.wait(rest, {});
  }
  for (Connection* connection : connections_) connection->cut_off();
  co_await gate_.close();
  check_.reset();
}

}  // namespace

Result<std::unique_ptr<Server>> listen(Loop& loop, ServerOptions options, Handler& handler) {
  std::unique_ptr<TlsContext> tls;
  if (!options.certificate_pem.empty()) {
    auto made = TlsContext::make(options.certificate_pem, options.key_pem);
    if (!made) return fail(std::move(made).error());
    tls = std::move(*made);
  }
  auto server = std::make_unique<TcpServer>(loop, std::move(options), handler, std::move(tls));
  SLIPWAY_TRY(server->open());
  return server;
}

Result<> set_certificate(Server& server, const KeyPair& pair) {
  auto* tcp = dynamic_cast<TcpServer*>(&server);
  SLIPWAY_ASSERT(tcp != nullptr);
  return tcp->use(pair);
}

}  // namespace slipway::http
