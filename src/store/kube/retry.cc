#include "store/kube/retry.h"

#include <algorithm>
#include <charconv>

namespace slipway::store::kube {

namespace {

// Seconds; the other form, a date, is not used by API servers.
std::optional<Duration> parse_retry_after(std::string_view text) {
  unsigned seconds = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::min<Duration>(std::chrono::seconds(seconds), kMaxRetryAfter);
}

}  // namespace

Duration backoff(int failures, double chance) {
  Duration wait = kFirstWait;
  for (int i = 1; i < failures && wait < kMaxWait; ++i) wait *= 2;
  wait = std::min(wait, kMaxWait);
  return Duration(
      static_cast<Duration::rep>(static_cast<double>(wait.count()) * (0.5 + chance / 2)));
}

std::optional<Duration> decide_retry(const Attempt& attempt, double chance) {
  if (attempt.number >= kMaxAttempts) return std::nullopt;
  const std::optional<Duration> told = parse_retry_after(attempt.retry_after);
  const bool refused = attempt.status == 429 || (attempt.status == 503 && told);
  const bool broken = attempt.status >= 500 || attempt.failure == ErrorCode::kUnavailable;
  if (!refused && !(broken && attempt.repeatable)) return std::nullopt;
  const Duration wait = backoff(attempt.number, chance);
  return told ? std::max(*told, wait) : wait;
}

}  // namespace slipway::store::kube
