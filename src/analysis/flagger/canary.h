#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/schema/codec.h"

// flagger.app/v1beta1 Canary, as far as its analysis goes: what routes and scales it is kept as it
// is.
namespace slipway::analysis::flagger {

constexpr std::string_view schema_prefix(const void*) { return "app.flagger.v1beta1."; }

struct NamedRef {
  std::string name = {};
  std::string ns = {};  // the Canary's when empty
};
struct ThresholdRange {
  std::optional<double> min = {}, max = {};  // both inclusive
};
struct CanaryMetric {
  std::string name = {};
  api::GoDuration interval = {};         // what `{{ interval }}` stands for; 1m
  std::optional<double> threshold = {};  // without a range
  std::optional<ThresholdRange> threshold_range = {};
  std::string query = {};
  std::optional<NamedRef> template_ref = {};
  std::map<std::string, std::string> template_variables = {};
};
struct CanaryAnalysis {
  api::GoDuration interval = {};
  std::int64_t threshold = 0;  // failed checks that end it
  std::int64_t iterations = 0;
  std::int64_t max_weight = 0, step_weight = 0;
  std::vector<std::int64_t> step_weights = {};
  std::int64_t step_weight_promotion = 0;
  bool mirror = false;
  std::int64_t mirror_weight = 0;
  std::int64_t primary_ready_threshold = 0, canary_ready_threshold = 0;
  std::vector<CanaryMetric> metrics = {};
  json::Value match = nullptr, webhooks = nullptr, alerts = nullptr, session_affinity = nullptr;
};
struct TargetRef {
  std::string api_version = {}, kind = {}, name = {};
};
struct CanarySpec {
  std::string provider = {};
  std::string metrics_server = {};
  TargetRef target_ref = {};
  std::optional<TargetRef> ingress_ref = {}, route_ref = {};
  api::FreeForm service = {};
  std::optional<CanaryAnalysis> analysis = {}, canary_analysis = {};
  bool skip_analysis = false;
  json::Value autoscaler_ref = nullptr, upstream_ref = nullptr;
  std::int64_t progress_deadline_seconds = 0;
  bool revert_on_deletion = false, suspend = false;
};
struct Canary {
  std::string api_version = {}, kind = {};
  json::Value metadata = nullptr;
  CanarySpec spec = {};
  json::Value status = nullptr;
};

// `analysis`, else what it was called before; null when there is neither.
const CanaryAnalysis* analysis_of(const CanarySpec& spec);
// spec.analysis or spec.canaryAnalysis, for messages.
std::string_view analysis_field(const CanarySpec& spec);

bool is_canary(const json::Value& manifest);
bool is_metric_template(const json::Value& manifest);

}  // namespace slipway::analysis::flagger
