#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "http/server.h"

namespace slipway::http {

// Makes one request out of bytes as they come: Beast for the head, our own for the body, and what
// Beast leaves to its user: the size of the whole head, one Host, no unknown transfer coding.
class RequestReader {
 public:
  struct Limits {
    std::size_t head = 64 * 1024;
    std::size_t body = 3 * 1024 * 1024;
  };
  explicit RequestReader(Limits limits);
  ~RequestReader();

  enum class State { kHead, kBody, kDone, kFailed };
  struct Failure {
    int status = 0;
    std::string message;
  };

  // Takes what it can from the front of `bytes`; what it leaves comes again, with more behind it.
  // Stops once at the end of the head, so that the request can be looked at before its body.
  std::size_t feed(std::string_view bytes);

  State state() const;
  // Complete but for the body once the state is past kHead. Trailers are dropped.
  Request& request();
  bool keep_alive() const;
  bool is_http_1_0() const;
  bool expects_continue() const;
  // With kFailed: what to answer before the connection is closed.
  const Failure& failure() const;

 private:
  struct Reading;
  std::unique_ptr<Reading> reading_;
};

}  // namespace slipway::http
