#pragma once

#include <cstdint>
#include <vector>

#include "analysis/kayenta/compile_kayenta.h"

// When a Kayenta analysis looks, and at what. Pure.
namespace slipway::analysis {

// `count` looks of the same sort, the first after `delay`.
struct KayentaLooks {
  Duration delay = {};
  Duration interval = {};
  std::int64_t count = 1;
  Duration window = {};  // zero: everything since the run began
  Duration ago = {};     // the window ends this long before the look
  bool last = false;     // decides; the ones before only stop what is bad already
};

// Looks end at start + interval, start + 2 * interval and so on, and see everything from the start,
// or `lookback`. Where that is the same for all but the last they are one, else one each.
// kInvalid: more than kMaxLooks, an end before its start, a step longer than what is looked at.
Result<std::vector<KayentaLooks>> plan_looks(const KayentaOptions& options);

}  // namespace slipway::analysis
