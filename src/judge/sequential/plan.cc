#include "judge/sequential/plan.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace slipway::judge {
namespace {

template <class T, std::size_t n>
using Words = std::array<std::pair<T, std::string_view>, n>;

constexpr Words<Engine, 4> kEngines = {{{Engine::kSignedRank, "signed-rank"},
                                        {Engine::kStratifiedRank, "stratified-rank"},
                                        {Engine::kCounts, "counts"},
                                        {Engine::kDistribution, "distribution"}}};
constexpr Words<Monitoring, 3> kMonitorings = {{{Monitoring::kGroupSequential, "gst"},
                                                {Monitoring::kAnytime, "anytime"},
                                                {Monitoring::kNone, "none"}}};
constexpr Words<Spending, 4> kSpendings = {{{Spending::kPocock, "pocock"},
                                            {Spending::kObrienFleming, "obf"},
                                            {Spending::kLinear, "linear"},
                                            {Spending::kHwangShihDeCani, "hsd"}}};

template <class T, std::size_t n>
std::string_view word_of(const Words<T, n>& words, T value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return "";
}

template <class T, std::size_t n>
Result<T> parse_word(const Words<T, n>& words, std::string_view wanted, std::string_view what) {
  std::string known;
  for (const auto& [value, word] : words) {
    if (word == wanted) return value;
    known += known.empty() ? "" : ", ";
    known += word;
  }
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not a {}; write one of {}", wanted, what, known));
}

}  // namespace

std::string_view to_string(Engine engine) { return word_of(kEngines, engine); }
std::string_view to_string(Monitoring monitoring) { return word_of(kMonitorings, monitoring); }
std::string_view to_string(Spending spending) { return word_of(kSpendings, spending); }

Result<Engine> parse_engine(std::string_view word) {
  return parse_word(kEngines, word, "sequential method");
}
Result<Monitoring> parse_monitoring(std::string_view word) {
  return parse_word(kMonitorings, word, "way to monitor");
}
Result<Spending> parse_spending(std::string_view word) {
  return parse_word(kSpendings, word, "way to spend alpha");
}

bool is_sequential(std::string_view method) { return parse_engine(method).has_value(); }

Result<> check(const Plan& plan) {
  // Negated comparisons, so that NaN is refused too.
  if (!(plan.alpha > 0 && plan.alpha <= 0.5)) {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("{} is not a false-alarm rate; write a number above 0 up to 0.5", plan.alpha),
        "alpha");
  }
  if (!(plan.margin >= 0 && plan.margin <= 1000)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is not a relative margin; write a number from 0 (0.05 is 5 %)",
                            plan.margin),
                "margin");
  }
  if (!(plan.tau >= 1 && std::isfinite(plan.tau))) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is not a variance inflation; write 1 or more", plan.tau), "tau");
  }
  if (!(std::abs(plan.gamma) <= kMaxGamma)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is not a gamma of hsd spending; write -{} to {}", plan.gamma,
                            kMaxGamma, kMaxGamma),
                "gamma");
  }
  if (plan.planned_looks < 0 || plan.planned_looks > kMaxLooks) {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("{} is not a number of looks; write 1 to {}", plan.planned_looks, kMaxLooks),
        "plannedLooks");
  }
  return {};
}

std::string fingerprint(const Plan& plan) {
  std::string spending(to_string(plan.spending));
  if (plan.spending == Spending::kHwangShihDeCani) spending += fmt::format("({})", plan.gamma);
  return fmt::format("{} {} {} {} alpha={} margin={} looks={} tau={}{}", to_string(plan.engine),
                     to_string(plan.direction), to_string(plan.monitoring), spending, plan.alpha,
                     plan.margin, plan.planned_looks, plan.tau, plan.late_onset ? " late" : "");
}

}  // namespace slipway::judge
