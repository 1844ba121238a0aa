#pragma once

#include <string>

#include "http/client.h"

namespace slipway::cli {

// A streamed answer, line by line.
class Lines {
 public:
  explicit Lines(http::ResponseStream& stream) : stream_(stream) {}

  // The next line without its end; empty at the end of the stream. kTooLarge for a line over
  // kMaxLine.
  Task<Result<std::string>> next(Duration idle = std::chrono::hours(24), std::stop_token stop = {});

  static constexpr std::size_t kMaxLine = 16 * 1024 * 1024;

 private:
  http::ResponseStream& stream_;
  std::string buffer_;
};

// Why the server refused, of an answer with a status of 400 and above.
Task<Error> read_refusal(http::ResponseStream& stream);
inline constexpr std::size_t kMaxRefusal = 64 * 1024;

// Whether a stream that has no end of its own came to one, by a server that stops or a connection
// that broke.
bool has_broken_off(const Result<std::string>& piece);

}  // namespace slipway::cli
