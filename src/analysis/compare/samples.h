#pragma once

#include <limits>
#include <vector>

#include "analysis/compare/look.h"
#include "judge/choose.h"
#include "judge/sequential/tau.h"

// The points of one look: out of answers, as they are judged, and as a measurement keeps them.
// Pure.
namespace slipway::analysis {

struct SideSamples {
  judge::Series points = {};    // counts: what was counted, a step each
  judge::Series exposure = {};  // counts: what it is counted against
  std::vector<judge::Bucket> buckets = {};

  bool empty(judge::Material material) const;
};
struct Samples {
  judge::Material material = judge::Material::kSeries;
  SideSamples control = {}, experiment = {};
  bool other_clock = false;  // a side is of another time
  bool no_series = false;    // neither source knew of any
};

// Newest points that earlier looks have taken, in unix seconds.
struct Taken {
  double control = -std::numeric_limits<double>::infinity();
  double experiment = -std::numeric_limits<double>::infinity();
};

// How several series of a side become one.
enum class Combine {
  kMean,  // at each time: Pods of one version are no independent witnesses
  kAll,   // one after the other, as PipeCD does
};

// What a method can make use of; a side's exposure that it cannot count with is divided by.
struct Wanted {
  Combine combine = Combine::kMean;
  bool counts = true;
  bool buckets = true;
};

// What the answers bring that was not taken yet. Times of a side with `ago` are moved to those of
// the other; a record serves where the source had nothing (gather.cc).
Samples gather(const api::argo::CompareMetric& compare, const LookInput& input,
               const metrics::Range& look, const Taken& taken, const Wanted& wanted);

// What the control counted before the run, a step each, oldest first.
std::vector<judge::Counted> counted_before(const api::argo::CompareSide& control,
                                           const LookInput& input, Duration step);

// What was taken before and with these samples.
Taken newest(const Samples& samples, Taken before);

// {"control":[[unix seconds, value],…],"experiment":…}; counts: with controlExposure and
// experimentExposure; buckets: controlBuckets and experimentBuckets as [upper end, count].
json::Object to_json(const Samples& samples);
// kInvalid says what is no record of a look.
Result<Samples> read_samples(const json::Value& value);

// [[unix seconds, value], …]; what is no point is left out.
judge::Series read_series(const json::Value& points);

// Points that a measurement keeps, of a comparison or a score.
std::size_t count_points(const api::FreeForm& samples);

// "+Inf" and "-Inf" are numbers here.
std::optional<double> number_in(const json::Value& value);
// Numbers that JSON has none for become the texts a store would make of them.
void write_out_infinities(json::Value& value);

}  // namespace slipway::analysis
