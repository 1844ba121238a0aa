#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/compare/look.h"
#include "judge/choose.h"

// Which series of a control belongs to which of an experiment, as Kayenta's mixer has it. Pure.
namespace slipway::analysis {

inline constexpr std::size_t kMaxMixed = 1000;         // pairs of one look
inline constexpr std::size_t kMaxScoreSamples = 4000;  // points of one look that are kept

using Tags = std::map<std::string, std::string>;

struct MixedPair {
  std::string name = {};  // of the configuration's metric
  Tags tags = {};
  judge::Series control = {}, experiment = {};  // without what is missing
};
struct Mixed {
  std::size_t length = 0;  // points a side should have; what lacks is missing
  std::string note = {};   // what was otherwise than asked for
  std::vector<MixedPair> pairs = {};
};

// One pair for each combination of tags that a side has. A side without it, or that has only a
// series without tags where the other's have some, has no points. kInvalid: tags of different names
// on the two sides; more than kMaxMixed.
Result<Mixed> mix(const api::argo::ScoreMetric& score, std::span<const LookInput> inputs,
                  const metrics::Range& look);

// The values of a side, NaN where points lack: at the end, as Kayenta puts them.
std::vector<double> padded(const judge::Series& series, std::size_t length);

// {"length":30,"pairs":[{"name","tags","control":[[unix seconds, value],…],"experiment":…}]}; over
// kMaxScoreSamples nothing but {"omitted":points}.
json::Object to_json(const Mixed& mixed);
// kInvalid: no record of a score, or one without its points.
Result<Mixed> read_mixed(const json::Value& value);

}  // namespace slipway::analysis
