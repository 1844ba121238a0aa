#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/time.h"

namespace slipway::store::kube {

inline constexpr int kMaxAttempts = 6;  // of one call
inline constexpr Duration kFirstWait = std::chrono::milliseconds(100);
inline constexpr Duration kMaxWait = std::chrono::seconds(5);
inline constexpr Duration kMaxRetryAfter = std::chrono::seconds(30);

// How one attempt at a call ended.
struct Attempt {
  int number = 1;                         // from 1
  int status = 0;                         // 0: no answer
  std::optional<ErrorCode> failure = {};  // without an answer
  std::string_view retry_after = {};      // the header
  bool repeatable = false;
};

// Doubles from kFirstWait to kMaxWait, of which a share between a half and all is waited: `chance`
// is in [0, 1), so that clients of one outage do not come back together.
Duration backoff(int failures, double chance);

// How long to wait before trying again, or nothing when the outcome stands. 429, and 503 with
// Retry-After, were not carried out: any call may be repeated.
std::optional<Duration> decide_retry(const Attempt& attempt, double chance);

}  // namespace slipway::store::kube
