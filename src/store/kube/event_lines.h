#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace slipway::store::kube {

// Cuts a stream of bytes into lines, however they arrive. Holds at most one line and one piece.
class EventLines {
 public:
  explicit EventLines(std::size_t max_line) : max_line_(max_line) {}

  void add(std::string_view piece);
  // The next whole line that is not empty, valid until the next call of either; none when more
  // bytes are needed. kTooLarge once a line is longer than allowed, and from then on.
  Result<std::optional<std::string_view>> next();
  // Forgets a line that its connection did not live to finish.
  void clear();

 private:
  std::size_t max_line_;
  std::string buffer_;
  std::size_t start_ = 0;    // of the first line not yet given
  std::size_t scanned_ = 0;  // no line end before here
};

}  // namespace slipway::store::kube
