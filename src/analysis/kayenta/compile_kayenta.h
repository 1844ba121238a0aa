#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compiled.h"
#include "analysis/kayenta/kayenta_query.h"
#include "base/json.h"

// A Kayenta canary configuration as an AnalysisRun: one score over all its metrics. Pure.
namespace slipway::analysis {

// Looks of one analysis; of those that are a metric each.
inline constexpr std::int64_t kMaxLooks = 500, kMaxSeparateLooks = 60;

// What Kayenta takes from the request, not from the configuration.
struct KayentaOptions {
  std::map<std::string, KayentaScopes> scopes = {};  // by scopeName; "default" serves for all
  // Unset end: from now on, for `lifetime`. Set: what was measured then, without waiting.
  std::optional<Time> start = {}, end = {};
  Duration lifetime = std::chrono::hours(1);
  Duration interval = {};  // between looks; zero: one look at the end
  Duration step = std::chrono::minutes(1);
  Duration begin_after = {};                       // warm-up, not looked at
  Duration lookback = {};                          // zero: from the beginning
  Duration control_offset = {};                    // the control's range is this much earlier
  std::optional<double> pass = {}, marginal = {};  // instead of the configuration's
  std::map<std::string, api::argo::SourceMetric> sources = {};  // by query type; "" serves for all
  Time now = {};
};

// From `--arg k=v`: controlScope, experimentScope, controlLocation, experimentLocation (with a
// scopeName and a dot before them for one scope only), start, end, lifetime, interval, step,
// beginAfter, lookback, controlOffset, pass, marginal, address (TYPE.address for one query type).
// Durations are Go's, or minutes (step: seconds) as in Kayenta's requests. All others are extended
// scope parameters. kInvalid names the argument.
Result<KayentaOptions> kayenta_options(const std::map<std::string, std::string>& args, Time now);

// The argument that was probably meant by one that kayenta_options takes for an extended scope
// parameter; empty for those it knows and those that are near none.
std::string_view meant_kayenta_argument(std::string_view name);

// The same from the body of Kayenta's own requests, POST /canary and /standalone_canary_analysis.
Result<> read_kayenta_request(const json::Value& request, KayentaOptions& options);

// Whether a JSON document is meant as a canary configuration: metrics with analysisConfigurations
// or a query with a type, and no kind. {"canaryConfig": …, "executionRequest": …} is one as well.
bool is_kayenta_config(const json::Value& document);

// kInvalid with the field: what judge::kayenta::read_config refuses, a query that cannot be made
// into a text, a variable without value.
Result<Compiled> compile_kayenta(const json::Value& document, const KayentaOptions& options);

}  // namespace slipway::analysis
