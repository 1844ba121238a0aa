#include "rollout/settings.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace slipway::rollout {

namespace {

constexpr std::int64_t kDefaultPercent = 25;

std::int64_t percent_of(const std::string& text) {
  std::int64_t percent = 0;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return percent;
}

Count scaled(const std::optional<api::IntOrString>& amount, Count replicas, bool up) {
  if (amount && !amount->is_text)
    return static_cast<Count>(
        std::clamp<std::int64_t>(amount->number, 0, std::numeric_limits<Count>::max()));
  const std::int64_t percent = amount ? percent_of(amount->text) : kDefaultPercent;
  const std::int64_t parts = std::max<std::int64_t>(0, percent) * replicas;
  return static_cast<Count>((parts + (up ? 99 : 0)) / 100);
}

struct Fenceposts {
  Count surge = 0;
  Count unavailable = 0;
};
Fenceposts fenceposts_of(const argo::CanaryStrategy& canary, Count replicas) {
  Fenceposts posts{.surge = scaled(canary.max_surge, replicas, true),
                   .unavailable = scaled(canary.max_unavailable, replicas, false)};
  if (posts.surge == 0 && posts.unavailable == 0) posts.unavailable = 1;
  return posts;
}

}  // namespace

Count replicas_of(const argo::RolloutSpec& spec) { return spec.replicas.value_or(kReplicas); }

bool is_canary(const argo::RolloutSpec& spec) { return spec.strategy.canary.has_value(); }
bool is_blue_green(const argo::RolloutSpec& spec) { return spec.strategy.blue_green.has_value(); }
bool is_routed(const argo::RolloutSpec& spec) {
  return is_canary(spec) && spec.strategy.canary->traffic_routing;
}
bool is_dynamic(const argo::RolloutSpec& spec) {
  return is_routed(spec) && spec.strategy.canary->dynamic_stable_scale;
}

Count max_weight_of(const argo::RolloutSpec& spec) {
  if (!is_routed(spec)) return kMaxWeight;
  return std::max(1,
                  spec.strategy.canary->traffic_routing->max_traffic_weight.value_or(kMaxWeight));
}

Count max_surge_of(const argo::RolloutSpec& spec) {
  return is_canary(spec) ? fenceposts_of(*spec.strategy.canary, replicas_of(spec)).surge : 0;
}

Count max_unavailable_of(const argo::RolloutSpec& spec) {
  const Count replicas = replicas_of(spec);
  if (replicas == 0) return 0;
  const Count unavailable =
      is_canary(spec)       ? fenceposts_of(*spec.strategy.canary, replicas).unavailable
      : is_blue_green(spec) ? scaled(spec.strategy.blue_green->max_unavailable, replicas, false)
                            : 0;
  return std::min(unavailable, replicas);
}

std::chrono::seconds scale_down_delay_of(const argo::RolloutSpec& spec) {
  Count seconds = 0;
  if (is_blue_green(spec))
    seconds = spec.strategy.blue_green->scale_down_delay_seconds.value_or(kScaleDownDelaySeconds);
  else if (is_routed(spec))
    seconds = spec.strategy.canary->scale_down_delay_seconds.value_or(kScaleDownDelaySeconds);
  return std::chrono::seconds(std::max(0, seconds));
}

Count scale_down_limit_of(const argo::RolloutSpec& spec) {
  const auto& limit = is_blue_green(spec)
                          ? spec.strategy.blue_green->scale_down_delay_revision_limit
                      : is_canary(spec) ? spec.strategy.canary->scale_down_delay_revision_limit
                                        : std::optional<Count>();
  return limit.value_or(std::numeric_limits<Count>::max());
}

AbortDelay abort_delay_of(const argo::RolloutSpec& spec) {
  std::optional<Count> given;
  if (is_blue_green(spec))
    given = spec.strategy.blue_green->abort_scale_down_delay_seconds;
  else if (is_routed(spec))
    given = spec.strategy.canary->abort_scale_down_delay_seconds;
  else
    return {.delay = std::chrono::seconds(0)};
  if (given == 0) return {.is_set = true};
  return {.delay = std::chrono::seconds(given.value_or(kAbortScaleDownDelaySeconds)),
          .is_set = given.has_value()};
}

Count progress_deadline_of(const argo::RolloutSpec& spec) {
  return spec.progress_deadline_seconds.value_or(kProgressDeadlineSeconds);
}
Count revision_history_limit_of(const argo::RolloutSpec& spec) {
  return spec.revision_history_limit.value_or(kRevisionHistoryLimit);
}
Count successful_limit_of(const argo::RolloutSpec& spec) {
  return spec.analysis ? spec.analysis->successful_run_history_limit.value_or(kRunHistoryLimit)
                       : kRunHistoryLimit;
}
Count unsuccessful_limit_of(const argo::RolloutSpec& spec) {
  return spec.analysis ? spec.analysis->unsuccessful_run_history_limit.value_or(kRunHistoryLimit)
                       : kRunHistoryLimit;
}

}  // namespace slipway::rollout
