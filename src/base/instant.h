#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Times as they are written, of any year from 0 to 9999: further than Time reaches, and all that
// Go takes. What is only passed on is one of these.
namespace slipway {

struct Instant {
  std::chrono::sys_seconds whole = {};
  std::int64_t nanosecond = 0;
};

// RFC 3339, any offset, fraction up to nanoseconds. Nothing when it is none.
std::optional<Instant> parse_instant(std::string_view text);
// "2026-01-02T15:04:05Z" (metav1.Time).
std::string format_instant(const Instant& instant);
// "2026-01-02T15:04:05.000000Z" (metav1.MicroTime).
std::string format_micro_instant(const Instant& instant);

}  // namespace slipway
