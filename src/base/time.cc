#include "base/time.h"

#include <fmt/format.h>

#include "base/instant.h"

namespace slipway {
namespace {

using std::chrono::seconds;

Instant split(Time time) {
  const auto whole = std::chrono::floor<seconds>(time);
  return {whole, (time - whole).count()};
}

}  // namespace

Result<Time> parse_time(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::kInvalid, fmt::format("\"{}\" {}", text, why));
  };
  const auto instant = parse_instant(text);
  if (!instant) return wrong("is not a time; write it as 2026-01-02T15:04:05Z");
  // One second inside the limits leaves room for the fraction.
  if (instant->whole <= std::chrono::ceil<seconds>(Time::min()) ||
      instant->whole >= std::chrono::floor<seconds>(Time::max())) {
    return wrong("is out of range; years 1678 to 2261 can be used");
  }
  return Time(instant->whole) + std::chrono::nanoseconds(instant->nanosecond);
}

std::string format_time(Time time) { return format_instant(split(time)); }

std::string format_micro_time(Time time) { return format_micro_instant(split(time)); }

}  // namespace slipway
