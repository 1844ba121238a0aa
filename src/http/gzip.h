#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace slipway::http {

// Whether an Accept-Encoding header allows gzip.
bool accepts_gzip(std::string_view accept_encoding);

// One gzip body, made piece by piece.
class Gzip {
 public:
  Gzip();
  ~Gzip();

  // What has come out so far; may be empty but for the last piece.
  std::string compress(std::string_view piece, bool last);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The other way, for a whole body of ours whose size is known. Asserts that it is one.
std::string gunzip(std::string_view packed, std::size_t size);

}  // namespace slipway::http
