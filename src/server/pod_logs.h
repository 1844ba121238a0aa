#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/limit.h"
#include "base/time.h"
#include "server/call.h"

namespace slipway::server {

// Which part of a container's output is asked for.
struct LogOptions {
  std::string container = {};
  bool follow = false;
  bool previous = false;  // of the run before
  bool timestamps = false;
  std::optional<std::int64_t> tail_lines = {};
  std::optional<Time> since = {};
  std::optional<std::int64_t> limit_bytes = {};
  std::string stream = {};  // stdout or stderr; empty: both
};

// What containers have written.
class PodLogs {
 public:
  virtual ~PodLogs() = default;
  // kBadRequest when there is nothing to read: the container waits to start, or has no run before
  // this one.
  virtual Task<Result<std::unique_ptr<http::Stream>>> open(std::string uid, std::string pod,
                                                           LogOptions options) = 0;
};

inline constexpr int kMaxOpenLogs = 1000;

// GET …/pods/NAME/log: the text of one container. `logs` null: nobody keeps any (404). `limit`
// counts those that are open; beyond it the answer is 429.
Task<http::Response> get_log(const Services& services, PodLogs* logs, Limit& limit, Call call);

}  // namespace slipway::server
