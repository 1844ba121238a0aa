#include "async/limit.h"

namespace slipway {

std::optional<Limit::Permit> Limit::try_enter() {
  if (free_ == 0) return std::nullopt;
  --free_;
  return std::optional<Permit>(std::in_place, *this);
}

Task<std::optional<Limit::Permit>> Limit::enter(std::stop_token stop) {
  if (stop.stop_requested()) co_return std::nullopt;
  if (auto permit = try_enter()) co_return std::move(permit);
  // A place that is freed is handed to the first in the queue, so nobody who comes later can take
  // it.
  if (co_await freed_.wait(std::move(stop)) == Signal::Wake::kStopped) co_return std::nullopt;
  co_return std::optional<Permit>(std::in_place, *this);
}

void Limit::leave() {
  if (!freed_.notify_one()) ++free_;
}

}  // namespace slipway
