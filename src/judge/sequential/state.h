#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"

// What a sequential test remembers from look to look. A controller keeps it in a status: a restart
// then neither repeats nor forgets a look.
namespace slipway::judge {

// Newest points of each side that are kept for ranks (signed-rank) and for effects.
inline constexpr std::size_t kMaxKept = 1024;
// Edges at which `distribution` compares the two sides.
inline constexpr std::size_t kMaxEdges = 128;

// A statistic that is 0 when nothing differs, with its variance.
struct Sums {
  double s = 0;
  double v = 0;
  double v_bound = 0;  // a variance under which e-values are exact: ties counted as broken
};

// Sums of all looks up to one. `up` asks whether the experiment is larger, `down` whether it is
// smaller; without a margin one is the other's negative.
struct Past {
  Sums up = {};
  Sums down = {};
  double boundary = 0;  // of z; 0: this look was not tested
};

struct CountWindow {
  double control = 0;
  double control_exposure = 0;
  double experiment = 0;
  double experiment_exposure = 0;
};

struct State {
  std::string plan;  // fingerprint of the plan it belongs to; empty before the first look
  int look = 0;      // looks taken
  double spent = 0;  // of alpha, by tested looks
  bool failed = false;
  double log_peak = 0;  // the largest log e-value so far
  double p = 1;         // the least p so far
  // Fixed by the first data: the variance at which mixtures are sharpest (ranks), the number of
  // values at which bands begin (distribution).
  double tuned_for = 0;
  bool log_scale = false;  // signed-rank compares logarithms; fixed by the first data
  std::size_t control_points = 0;
  std::size_t experiment_points = 0;
  std::vector<Past> past = {};  // one a look

  // Points of the newest looks (distribution: the advantage of one side over the other, one a
  // look), side by side; `kept_sizes` holds how many each look brought to each side: control,
  // experiment, control, …
  std::vector<double> control = {};
  std::vector<double> experiment = {};
  std::vector<std::size_t> kept_sizes = {};

  std::vector<CountWindow> windows = {};  // counts: one a look

  // distribution: edges chosen at the first data, and how many values each side had up to them.
  std::vector<double> edges = {};
  std::vector<double> control_below = {};
  std::vector<double> experiment_below = {};
};

json::Object to_json(const State& state);
// kInvalid names the field. What reads back equals what was written, to the bit.
Result<State> read_state(const json::Value& value);

}  // namespace slipway::judge
