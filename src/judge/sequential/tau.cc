#include "judge/sequential/tau.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "judge/effect.h"
#include "judge/points.h"
#include "judge/ranks.h"

namespace slipway::judge {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kUnits = {
    {{"ms", 1},
     {"s", 1000},
     {"m", 60'000},
     {"h", 3'600'000},
     {"d", 86'400'000},
     {"w", 604'800'000},
     {"y", 31'536'000'000}}};
constexpr std::int64_t kMaxMillis = 100 * kUnits.back().second;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "1h30m" in milliseconds; 0 when it is none. A number alone is seconds, as in newer PromQL.
std::int64_t millis_of(std::string_view text) {
  std::int64_t sum = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::int64_t number = 0;
    const std::size_t begin = at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      number = std::min(kMaxMillis, number * 10 + (text[at] - '0'));
    }
    if (at == begin) return 0;
    std::size_t end = at;
    while (end < text.size() && !is_digit(text[end])) ++end;
    const auto word = text.substr(at, end - at);
    const auto* unit = std::ranges::find(kUnits, word, [](const auto& one) { return one.first; });
    if (unit == kUnits.end() && !(word.empty() && begin == 0)) return 0;
    const std::int64_t factor = unit == kUnits.end() ? 1000 : unit->second;
    sum += std::min(kMaxMillis / factor, number) * factor;
    at = end;
  }
  return std::min(sum, kMaxMillis);
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Behind the string that begins at `at`. Backslashes escape, but not between backquotes.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  for (; at < text.size(); ++at) {
    if (text[at] == '\\' && quote != '`') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

// Of a median, in standard errors of a mean.
const double kMedianError = std::sqrt(std::numbers::pi / 2);

struct IntegratedTime {
  double tau = 1;
  double error = 0;  // standard error, relative

  // One standard error above it, of the mean of so many.
  double upper(std::size_t of) const {
    return std::max(1.0, tau * (1 + error / std::sqrt(static_cast<double>(of))));
  }
};

// Sum over lags of the correlation, cut where the lag passes five times the sum so far (Sokal).
IntegratedTime integrated_time(std::span<const double> centred) {
  const std::size_t n = centred.size();
  double variance = 0;
  for (double one : centred) variance += one * one;
  if (variance <= 0) return {};
  double tau = 1;
  std::size_t lag = 1;
  for (; lag < n && static_cast<double>(lag) < 5 * tau; ++lag) {
    double product = 0;
    for (std::size_t i = 0; i + lag < n; ++i) product += centred[i] * centred[i + lag];
    tau += 2 * product / variance;
    tau = std::max(tau, 0.2);
  }
  return {.tau = tau,
          .error = std::sqrt(2 * (2 * static_cast<double>(lag) + 1) / static_cast<double>(n))};
}

// Of values that are there.
IntegratedTime time_of(std::span<const double> known) {
  auto ranks = rank(known).ranks;
  const double middle = (static_cast<double>(ranks.size()) + 1) / 2;
  for (double& one : ranks) one -= middle;
  return integrated_time(ranks);
}

}  // namespace

Result<Duration> longest_range(std::string_view promql) {
  if (promql.size() > kMaxQueryBytes) {
    return fail(ErrorCode::kTooLarge, fmt::format("a query of {} bytes; at most {} are read",
                                                  promql.size(), kMaxQueryBytes));
  }
  std::int64_t longest = 0;
  for (std::size_t at = 0; at < promql.size();) {
    const char c = promql[at];
    if (c == '"' || c == '\'' || c == '`') {
      at = skip_string(promql, at);
    } else if (c == '#') {
      at = std::min(promql.size(), promql.find('\n', at));
    } else if (c == '[') {
      const std::size_t end = std::min(promql.size(), promql.find(']', at));
      const auto inside = promql.substr(at + 1, end - at - 1);
      longest = std::max(longest, millis_of(trimmed(inside.substr(0, inside.find(':')))));
      at = end;
    } else {
      ++at;
    }
  }
  return std::chrono::milliseconds(longest);
}

double range_over_step(Duration range, Duration step) {
  if (step <= Duration::zero()) return 1;
  return std::max(1.0, static_cast<double>(range.count()) / static_cast<double>(step.count()));
}

std::optional<double> tau_of_history(std::span<const double> points) {
  if (points.size() > kMaxHistory) points = points.last(kMaxHistory);
  const auto known = without_nan(points);
  if (known.size() < kMinHistory) return std::nullopt;
  return time_of(known).upper(1);
}

double tau_with_history(double known, std::span<const double> points) {
  const auto all = without_nan(points);
  std::vector<IntegratedTime> stretches;
  for (std::size_t end = all.size(); end >= kMinHistory; end -= kMinHistory) {
    if (all.size() - end >= kMaxHistory) break;
    stretches.push_back(time_of(std::span(all).subspan(end - kMinHistory, kMinHistory)));
  }
  if (stretches.empty()) return std::max(1.0, known);
  const auto middle = stretches.begin() + static_cast<std::ptrdiff_t>(stretches.size() / 2);
  std::ranges::nth_element(stretches, middle, {}, &IntegratedTime::tau);
  return std::max(known, middle->upper(stretches.size()));
}

double dispersion_of(std::span<const Counted> windows) {
  std::vector<double> squares;  // newest first, each 1 in the mean
  for (std::size_t end = windows.size(); end >= 2; end -= 2) {
    const Counted &one = windows[end - 1], &other = windows[end - 2];
    const double events = one.events + other.events;
    const double share = one.exposure / (one.exposure + other.exposure);
    const double variance = events * share * (1 - share);
    if (!(variance > 0)) continue;
    const double excess = one.events - events * share;
    if (const double square = excess * excess / variance; std::isfinite(square))
      squares.push_back(square);
  }
  std::vector<double> stretches;
  for (std::size_t at = 0; at + kMinPairs <= squares.size(); at += kMinPairs)
    stretches.push_back(mean(std::span(squares).subspan(at, kMinPairs)));
  if (stretches.empty()) return 1;
  const auto middle = stretches.begin() + static_cast<std::ptrdiff_t>(stretches.size() / 2);
  std::ranges::nth_element(stretches, middle);
  const double error = kMedianError * std::sqrt(2 / static_cast<double>(squares.size()));
  return *middle > 1 + 2 * error ? *middle * (1 + error) : 1;
}

double tau_with_counts(double known, std::span<const Counted> steps, std::size_t steps_a_look) {
  std::vector<Counted> looks;
  if (steps_a_look > 1)
    for (std::size_t end = steps.size(); end >= steps_a_look; end -= steps_a_look) {
      Counted look;
      for (const Counted& step : steps.subspan(end - steps_a_look, steps_a_look)) {
        look.events += step.events;
        look.exposure += step.exposure;
      }
      looks.push_back(look);
    }
  return std::max({1.0, known, dispersion_of(steps), dispersion_of(looks)});
}

}  // namespace slipway::judge
