#include "rollout/strategy/attempt.h"

#include <fmt/format.h>

namespace slipway::rollout {

std::string attempt_of(const Draft& draft, const std::string& previous) {
  const auto& duration = draft.before.duration;
  const auto text = [](const std::optional<Time>& time) {
    return time ? format_time(*time) : std::string();
  };
  return fmt::format("{}/{}/{}", duration ? text(duration->rollout_started_at) : "",
                     text(draft.before.aborted_at), previous);
}

}  // namespace slipway::rollout
