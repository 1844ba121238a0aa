#include "store/kube/retry.h"

#include <gtest/gtest.h>

namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;

TEST(Retry, DependsOnTheOutcomeAndOnWhetherTheCallMayBeRepeated) {
  struct Row {
    Attempt attempt;
    std::optional<Duration> wait;
  };
  const Row rows[] = {
      {{.status = 200, .repeatable = true}, std::nullopt},
      {{.status = 404, .repeatable = true}, std::nullopt},
      {{.status = 409, .repeatable = true}, std::nullopt},
      {{.status = 429}, 100ms},
      {{.status = 429, .retry_after = "3"}, 3s},
      {{.status = 429, .retry_after = "86400"}, kMaxRetryAfter},
      {{.status = 429, .retry_after = "Fri, 31 Dec 2027"}, 100ms},
      {{.number = 3, .status = 429}, 400ms},
      {{.number = 6, .status = 429}, std::nullopt},
      {{.status = 503, .retry_after = "1"}, 1s},
      {{.status = 503}, std::nullopt},
      {{.status = 503, .repeatable = true}, 100ms},
      {{.status = 500}, std::nullopt},
      {{.status = 500, .repeatable = true}, 100ms},
      {{.number = 2, .status = 504, .repeatable = true}, 200ms},
      {{.failure = ErrorCode::kUnavailable}, std::nullopt},
      {{.failure = ErrorCode::kUnavailable, .repeatable = true}, 100ms},
      {{.failure = ErrorCode::kTimeout, .repeatable = true}, std::nullopt},
      {{.failure = ErrorCode::kCancelled, .repeatable = true}, std::nullopt},
      {{.failure = ErrorCode::kInvalid, .repeatable = true}, std::nullopt},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(decide_retry(row.attempt, 1.0), row.wait)
        << row.attempt.status << " " << row.attempt.number << " " << row.attempt.retry_after;
  }
}

TEST(Retry, WaitsDoubleUpToALimitAndVaryByHalf) {
  EXPECT_EQ(backoff(1, 1.0), kFirstWait);
  EXPECT_EQ(backoff(1, 0.0), kFirstWait / 2);
  EXPECT_EQ(backoff(4, 1.0), kFirstWait * 8);
  EXPECT_EQ(backoff(1000, 1.0), kMaxWait);
}

}  // namespace
}  // namespace slipway::store::kube
