#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// What the four engines have in common: evidence of one look goes into the state, sums of all looks
// come out. Private to judge/sequential.
namespace slipway::judge {

struct Reading {
  bool fresh = false;  // both sides brought data
  double points = 0;   // independent observations so far, as kMinEffectivePoints counts them
  Past sums = {};      // of all looks
  // Chance of sums as large when nothing differs, exact where few points make the normal
  // approximation poor.
  std::optional<double> p_up = {};
  std::optional<double> p_down = {};
  // Chance of the whole distributions being as far apart; anytime-valid. `distribution` alone.
  std::optional<double> p_bands = {};
};

// Each is given evidence without NaN pairs or points and adds it to the state's data, not to `look`
// and `past`.
Reading read_signed_rank(const Plan& plan, State& state, const Evidence& evidence);
Reading read_stratified_rank(const Plan& plan, State& state, const Evidence& evidence);
Reading read_counts(const Plan& plan, State& state, const Evidence& evidence);
Reading read_distribution(const Plan& plan, State& state, const Evidence& evidence);

// log e-value of counts of all looks, with `margin` and `direction` instead of the plan's
// (counts_mixture.cc).
double log_counts_mixture(const Plan& plan, std::span<const CountWindow> windows, double margin,
                          Direction direction);
// The same from each of the first `starts` windows on.
std::vector<double> log_counts_restarts(const Plan& plan, std::span<const CountWindow> windows,
                                        std::size_t starts);

// What another value must pass to count as larger.
double with_margin(double value, double margin);

// Keeps the points of a look, and forgets the oldest looks over kMaxKept.
void keep(State& state, std::span<const double> control, std::span<const double> experiment);

// The sums of the last look, all 0 before the first.
Past last_sums(const State& state);

}  // namespace slipway::judge
