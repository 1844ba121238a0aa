#include "analysis/kayenta/looks.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::analysis {

namespace {

// The span that is analysed, warm-up left out.
struct Span {
  Time from;
  Duration length;
  Duration interval;
  std::int64_t looks;
};

// Times further from now than this are mistakes, and their differences might overflow.
constexpr auto kFarthest = std::chrono::years(20);

Result<> check_near(const std::optional<Time>& time, Time now, const char* name) {
  using std::chrono::seconds;
  if (!time) return {};
  const auto apart = std::chrono::floor<seconds>(*time).time_since_epoch() -
                     std::chrono::floor<seconds>(now).time_since_epoch();
  if (apart < kFarthest && apart > -kFarthest) return {};
  return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is too far from now", format_time(*time)),
              name);
}

Result<Span> span_of(const KayentaOptions& options) {
  SLIPWAY_TRY(check_near(options.start, options.now, "start"));
  SLIPWAY_TRY(check_near(options.end, options.now, "end"));
  Duration length = options.lifetime;
  Time from = options.start.value_or(options.now);
  if (options.end) {
    if (!options.start) from = *options.end - length;
    length = *options.end - from;
  }
  if (length <= Duration::zero())
    return fail(ErrorCode::kInvalid,
                options.end ? "end is not after start" : "is not a time to look at; write 1h",
                options.end ? "end" : "lifetime");
  from += options.begin_after;
  if (options.end) length -= options.begin_after;
  if (length < options.step || options.step <= Duration::zero())
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is longer than the {} that are looked at",
                            format_duration(options.step), format_duration(length)),
                "step");
  const Duration interval =
      options.interval > Duration::zero() ? std::min(options.interval, length) : length;
  const std::int64_t looks = length / interval;
  return Span{.from = from, .length = length, .interval = interval, .looks = looks};
}

KayentaLooks look_at(const KayentaOptions& options, const Span& span, std::int64_t number) {
  const Time end = span.from + number * span.interval;
  const Duration whole = number * span.interval;
  return {.delay = std::max(end - options.now, Duration::zero()),
          .window = options.lookback > Duration::zero() ? options.lookback : whole,
          .ago = std::max(options.now - end, Duration::zero()),
          .last = number == span.looks};
}

}  // namespace

Result<std::vector<KayentaLooks>> plan_looks(const KayentaOptions& options) {
  auto span = span_of(options);
  if (!span) return std::unexpected(std::move(span).error());
  // A run that grows from its own beginning, or slides, asks the same way every time.
  const bool alike =
      options.lookback > Duration::zero() ? span->from >= options.now : span->from == options.now;
  const std::int64_t most = alike ? kMaxLooks : kMaxSeparateLooks;
  if (span->looks > most)
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" makes {} looks; at most {} are allowed",
                            format_duration(span->interval), span->looks, most),
                "interval");
  std::vector<KayentaLooks> out;
  if (!alike) {
    for (std::int64_t i = 1; i <= span->looks; ++i) out.push_back(look_at(options, *span, i));
    return out;
  }
  if (span->looks > 1) {
    KayentaLooks before = look_at(options, *span, 1);
    before.interval = span->interval;
    before.count = span->looks - 1;
    before.window = options.lookback;
    out.push_back(before);
  }
  out.push_back(look_at(options, *span, span->looks));
  return out;
}

}  // namespace slipway::analysis
