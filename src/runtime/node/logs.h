#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/blocking.h"
#include "async/loop.h"
#include "http/message.h"
#include "runtime/node/host.h"

namespace slipway::runtime {

struct LogRequest {
  std::string container = {};
  bool follow = false;  // until this run of the container has ended
  bool previous = false;
  bool timestamps = false;
  std::optional<std::int64_t> tail_lines = {};
  std::optional<Time> since = {};
  std::optional<std::int64_t> limit_bytes = {};
  std::string stream = {};  // stdout or stderr; empty: both
};

// The output of containers, from the files their shims write (shim/log_file.h).
class PodLogReader {
 public:
  static constexpr Duration kFollowEvery = std::chrono::milliseconds(100);

  // All outlive the streams.
  PodLogReader(Loop& loop, Pool& pool, const PodHost& host)
      : loop_(loop), pool_(pool), host_(host) {}

  // kBadRequest, as kubelet words it, when there is nothing to read.
  Task<Result<std::unique_ptr<http::Stream>>> open(std::string uid, std::string pod,
                                                   LogRequest request);

 private:
  Loop& loop_;
  Pool& pool_;
  const PodHost& host_;
};

}  // namespace slipway::runtime
