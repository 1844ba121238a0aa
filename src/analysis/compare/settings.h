#pragma once

#include <optional>
#include <string_view>

#include "api/kinds/argo_analysis.h"
#include "judge/choose.h"
#include "judge/sequential/plan.h"

// What a comparison is asked to do, worked out of its metric and its run. Pure.
namespace slipway::analysis {

inline constexpr double kDefaultMargin = 0.05;  // 0 for counts
inline constexpr double kOneShotAlpha = 0.05;   // PipeCD's

// Mann-Whitney as PipeCD releases it: two-sided, with ties and sides of different size, its p may
// be 0 or over 1. `mann-whitney` has the right one there.
inline constexpr std::string_view kReleasedMannWhitney = "mann-whitney-released";

enum class Method {
  kByData,       // an accumulating one, chosen at the first look with data
  kSequential,   // `plan.engine`
  kMannWhitney,  // the look alone; see Settings::released
  kKayenta,      // the look alone
};

struct Settings {
  Method method = Method::kByData;
  judge::Plan plan = {};  // margin and engine: see plan_for
  std::optional<double> margin = {};
  bool planned = false;   // the number of looks is known
  bool released = false;  // Mann-Whitney's two-sided p as PipeCD has it

  bool accumulates() const { return method == Method::kByData || method == Method::kSequential; }
};

// `step` is between the points of a look. kInvalid names the field and what would be right.
Result<Settings> settings_of(const api::argo::AnalysisRunSpec& spec, std::size_t metric,
                             Duration step);

// The plan with this engine, and the margin that is usual for it.
judge::Plan plan_for(const Settings& settings, judge::Engine engine);

// Whether every look is judged alone, as `method` says.
bool is_one_shot(const api::argo::CompareMetric& compare);

// The side's query when it is PromQL, else empty.
std::string_view promql_of(const api::argo::CompareSide& side);

// What a point of this query counts for when its values are counted: rates are per second, so the
// seconds of a step; anything else (increase) counts as it is.
double counts_per_point(std::string_view promql, Duration step);
// rate() and increase() stretch what the scrapes inside their range have seen to the whole of it.
bool extrapolates(std::string_view promql);

}  // namespace slipway::analysis
