#pragma once

#include <optional>
#include <string>

#include "analysis/compare/samples.h"
#include "judge/season.h"
#include "judge/sequential/state.h"

// What an accumulating comparison remembers, in its result's `state`. Pure.
namespace slipway::analysis {

// What comparisons of two times without a release give; see placebo.h.
struct Placebos {
  std::size_t runs = 0;
  double limit = 0;       // of the largest z of a run: to be exceeded
  double peak = 0;        // the largest z of this run so far
  std::string plan = {};  // that they were run for, as judge::fingerprint has it
};

struct LookState {
  std::string method = {};                     // the engine, once data has chosen it
  int skipped = 0;                             // looks without data since the last that was judged
  std::optional<Time> first = {}, until = {};  // what was asked for so far
  Taken taken = {};
  bool failed = false;  // by the verdict of a look: the metric fails, whatever its failureLimit
  // Learned at the first look that was judged, from what was before the run: learn.h.
  std::optional<double> tau = {};
  std::optional<judge::Season> season = {};  // both sides by the clock of the experiment
  std::optional<Placebos> placebos = {};
  std::optional<std::string> uncalibrated = {};  // why there are none
  judge::State judge = {};

  bool has_learned() const { return tau || season || placebos || uncalibrated; }
  // What a recorded run had learned, for a replay of it.
  void learn_from(const LookState& recorded);
};

api::FreeForm to_state(const LookState& state);
// An empty one is that before the first look. kInvalid names the field.
Result<LookState> read_look_state(const api::FreeForm& state);

// The newest moment that was asked for, without reading the rest of the state.
std::optional<Time> asked_until(const api::FreeForm& state);
// Whether a look was judged, and so all learned that there is to learn.
bool has_judged_look(const api::FreeForm& state);
// Whether a result's state says that a look failed, without reading the rest of it.
bool has_failed_look(const api::FreeForm& state);

}  // namespace slipway::analysis
