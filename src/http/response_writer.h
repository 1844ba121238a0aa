#pragma once

#include <string>
#include <string_view>

#include "async/loop.h"
#include "http/message.h"
#include "http/wire.h"

namespace slipway::http {

// What of a request decides how its answer is framed.
struct Framing {
  bool head_only = false;  // the answer to HEAD
  bool http_1_0 = false;   // no chunks
  bool keep_alive = false;
  bool gzip = false;  // the client accepts it
  std::size_t gzip_above = 0;
};

// The status line and headers as they go over the wire. Content-Length, Transfer-Encoding and
// Connection are the framing's; `length` is left out of chunked answers.
enum class BodyKind { kNone, kSized, kChunked, kUntilClose };
std::string format_head(const Response& response, BodyKind kind, std::size_t length,
                        bool keep_alive, bool gzip);

// Sends one answer. False when the connection cannot be used again.
Task<bool> write_response(Loop& loop, Wire& wire, Response response, Framing framing);

}  // namespace slipway::http
