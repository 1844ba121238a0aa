#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "async/loop.h"
#include "base/time.h"
#include "http/message.h"

namespace slipway::http {

struct Tls {
  std::string ca_pem = {};           // empty: the system's
  std::string certificate_pem = {};  // client certificate
  std::string key_pem = {};
  bool verify = true;
  std::string server_name = {};  // checked instead of the URL's host
  bool http2 = true;             // when the server offers it
};

struct ClientRequest {
  std::string method = "GET";
  std::string url;
  Headers headers = {};
  std::string body = {};
  Duration timeout =
      std::chrono::seconds(30);  // whole exchange; for streams until the head has arrived
  std::size_t max_body = 64 * 1024 * 1024;
  bool follow_redirects = false;
  // "ADDRESS:PORT" to connect to instead of the URL's host, which is still the one that is asked
  // for and whose certificate is checked.
  std::string connect_to = {};
};

// An answer whose body arrives piece by piece (watches, logs).
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;  // closes the connection when not at the end
  virtual int status() const = 0;
  virtual const Headers& headers() const = 0;
  // The next piece; empty at the end. kCancelled when stopped, kTimeout when `idle` passes without
  // a byte.
  virtual Task<Result<std::string>> next(Duration idle, std::stop_token stop) = 0;
};

// libcurl's multi interface on the loop: connection reuse, proxies, TLS, HTTP/2, redirects,
// compression.
//
// An HTTP status of any value is a Response, not an error. Errors: kUnavailable (no connection),
// kTimeout, kCancelled, kTooLarge, kInvalid (bad URL, certificate not trusted). No credential
// appears in any message.
class Client {
 public:
  virtual ~Client() = default;
  virtual Task<Result<Response>> send(ClientRequest request, std::stop_token stop = {}) = 0;
  virtual Task<Result<std::unique_ptr<ResponseStream>>> open(ClientRequest request,
                                                             std::stop_token stop = {}) = 0;
};
std::unique_ptr<Client> make_client(Loop& loop, Tls tls = {});

}  // namespace slipway::http
