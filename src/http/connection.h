#pragma once

#include <memory>
#include <string>

#include "async/loop.h"
#include "http/body_budget.h"
#include "http/request_reader.h"
#include "http/response_writer.h"
#include "http/server.h"
#include "http/wire.h"

namespace slipway::http {

// What all connections of a server use.
struct ConnectionSetting {
  Loop& loop;
  const ServerOptions& options;
  Handler& handler;
  const TlsContext* tls;  // null: plain HTTP only
  BodyBudget& bodies;
};

// One client: its requests, one after another, until either side has had enough.
class Connection {
 public:
  Connection(const ConnectionSetting& setting, int socket, std::string peer, Wire::Scratch scratch);

  Task<> run();

  // At regular times, so that deadlines are kept.
  void expire(Duration uptime) { wire_.expire(uptime); }
  // The server stops: a request that is being read or answered is the last; streams end.
  void wind_down();
  // The server waits no longer.
  void cut_off();

 private:
  enum class Phase { kIdle, kReading, kHandling, kStreaming };

  // These give false when the connection is at its end.
  Task<bool> serve_one();
  Task<bool> read_head(RequestReader& reader);
  Task<bool> read_body(RequestReader& reader, HeldBody& held);
  Task<bool> answer(RequestReader& reader, HeldBody& held);
  Task<bool> answer_now(RequestReader& reader, Response response);

  void feed(RequestReader& reader);
  Task<> refuse(int status, std::string message);
  Framing framing_of(RequestReader& reader) const;
  void set_timeout(Duration timeout);

  const ConnectionSetting& setting_;
  std::string peer_;
  std::string local_;
  Wire wire_;
  Phase phase_ = Phase::kIdle;
  bool winding_down_ = false;
  bool unread_ = false;  // the client may have sent more than was read
};

}  // namespace slipway::http
