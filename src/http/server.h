#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/loop.h"
#include "base/time.h"
#include "http/message.h"

namespace slipway::http {

struct Request {
  std::string method;
  Target target;
  Headers headers;
  std::string body;
  bool tls = false;
  std::string peer;           // address:port
  std::string local = {};     // the address of ours it was sent to, without port or brackets
  std::stop_token gone = {};  // requested when the client has gone or the server stops
};

// Answers one request. May take its time; several run side by side on the one loop.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual Task<Response> handle(Request request) = 0;

  // Asked with the head alone (body empty), before the body is read: an answer here is sent at once
  // and the body is not read (authentication, sizes). Null: go on.
  virtual std::unique_ptr<Response> refuse(const Request& head) = 0;
};

struct ErrorBody {
  std::string content_type = "text/plain; charset=utf-8";
  std::string text;
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;            // 0: any free one; see Server::port()
  std::string certificate_pem = {};  // with the key: TLS is spoken on the same port as plain HTTP
  std::string key_pem = {};
  std::size_t max_body = 3 * 1024 * 1024;      // over it: 413
  std::size_t max_bodies = 256 * 1024 * 1024;  // of all requests together; over it: 429
  std::size_t max_header = 64 * 1024;          // over it: 431
  std::size_t max_connections = 4096;          // over it: new ones are closed
  Duration header_timeout =
      std::chrono::seconds(10);  // from the first byte to the end of the head, handshake included
  Duration body_timeout = std::chrono::seconds(60);
  Duration idle_timeout = std::chrono::seconds(120);  // between requests of one connection
  Duration write_timeout = std::chrono::seconds(60);  // without progress: the client is gone
  std::size_t gzip_above =
      128 * 1024;  // bodies this large are compressed when the client accepts it
  // The body of what the server itself answers (400, 408, 413, 417, 429, 431, 501); unset: the
  // message as plain text.
  std::function<ErrorBody(int status, std::string_view message)> error_body = {};
};

// HTTP/1.1 over TCP, plain and TLS on one port, keep-alive, pipelining refused politely (answered
// in order).
//
// A body over the limit, a slow sender, garbage, or a half request costs only its own connection.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::uint16_t port() const = 0;
  // Stops accepting, ends streams, lets running requests finish for `grace`, closes the rest. To be
  // awaited before the server is destroyed, and before its handler is.
  virtual Task<> stop(Duration grace) = 0;

  struct Counters {
    std::uint64_t connections_open = 0;
    std::uint64_t connections_total = 0;
    std::uint64_t connections_refused = 0;  // over max_connections
  };
  virtual Counters counters() const = 0;
};
// Errors: kUnavailable when the address cannot be bound, kInvalid for a bad certificate.
Result<std::unique_ptr<Server>> listen(Loop& loop, ServerOptions options, Handler& handler);

}  // namespace slipway::http
