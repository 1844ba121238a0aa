#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace slipway::runtime {

// Turns lines of log files (`TIME stdout F text`) back into what was written, or what of it was
// asked for.
class LogText {
 public:
  struct Wanted {
    bool timestamps = false;
    std::optional<Time> since = {};
    std::optional<std::int64_t> limit_bytes = {};
    std::string stream = {};  // empty: both
  };
  explicit LogText(Wanted wanted);

  // What more of a file's bytes comes to. A line that is not whole yet waits for its rest.
  std::string add(std::string_view bytes);
  // The limit is reached: nothing more will come.
  bool is_full() const { return wanted_.limit_bytes && left_ == 0; }

 private:
  void add_line(std::string_view line, std::string& out);

  Wanted wanted_;
  std::string since_;  // as the lines' own times are written
  std::string rest_;
  std::int64_t left_ = 0;
  bool goes_on_ = false;  // the last line was only the beginning of one
};

}  // namespace slipway::runtime
