#include "metrics/newrelic_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace slipway::metrics {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view kClauses[] = {"since", "until", "timeseries"};
// A question is on its way for a moment; a window that ended before that lies in the past.
constexpr Duration kJustNow = seconds(2);

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

// The clause about time that the text has itself, outside of its strings and quoted names.
std::optional<std::string_view> own_clause(std::string_view nrql) {
  for (std::size_t i = 0; i < nrql.size();) {
    if (nrql[i] == '\'' || nrql[i] == '`' || nrql[i] == '"') {
      const auto end = nrql.find(nrql[i], i + 1);
      if (end == std::string_view::npos) return std::nullopt;
      i = end + 1;
      continue;
    }
    std::size_t end = i;
    while (end < nrql.size() && is_word(nrql[end])) ++end;
    const std::string word = text::lower(nrql.substr(i, end - i));
    for (const std::string_view clause : kClauses)
      if (word == clause) return nrql.substr(i, end - i);
    i = std::max(end, i + 1);
  }
  return std::nullopt;
}

std::int64_t epoch_millis(Time time) {
  return std::chrono::floor<milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

Result<std::string> with_window(std::string_view nrql, const Range& window, Time now) {
  const Duration length = window.to - window.from;
  const bool ends_now = window.to <= now && now - window.to < kJustNow;
  const bool in_steps = window.step > Duration::zero() && window.step < length;
  if (const auto clause = own_clause(nrql); clause && (in_steps || !ends_now))
    return fail(
        ErrorCode::kInvalid,
        fmt::format("the query says {} itself; leave it out: the window is added to it", *clause));
  std::string asked(nrql);
  if (ends_now)
    asked += fmt::format(" SINCE {} seconds ago", std::chrono::floor<seconds>(length).count());
  else
    asked += fmt::format(" SINCE {} UNTIL {}", epoch_millis(window.from), epoch_millis(window.to));
  if (!in_steps) return asked;
  const Duration least = length / kMaxNrqlBuckets;
  const auto step = std::chrono::ceil<seconds>(std::max(window.step, least));
  return fmt::format("{} TIMESERIES {} seconds", asked, step.count());
}

}  // namespace slipway::metrics
