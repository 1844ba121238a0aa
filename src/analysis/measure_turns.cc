#include "analysis/measure_turns.h"

#include <fmt/format.h>

namespace slipway::analysis {

struct Turns::Source {
  Source(Loop& loop, int places) : limit(loop, places) {}
  Limit limit;
  int users = 0;
};

namespace {

// Waits for a place, no longer than until `deadline` on the loop's clock.
slipway::Task<std::optional<Limit::Permit>> enter_before(Loop& loop, Limit& limit,
                                                         Duration deadline, std::stop_token stop) {
  if (auto permit = limit.try_enter()) co_return permit;
  std::stop_source given_up;
  std::stop_callback stopped(stop, [&given_up] { given_up.request_stop(); });
  const auto timer = loop.clock().call_after(deadline - loop.clock().uptime(),
                                             [&given_up] { given_up.request_stop(); });
  co_return co_await limit.enter(given_up.get_token());
}

}  // namespace

Turns::Turns(Loop& loop, int at_once, int of_one_source)
    : loop_(loop), shared_(loop, at_once), of_one_source_(of_one_source) {}

Turns::~Turns() { SLIPWAY_ASSERT(sources_.empty()); }

Turns::Turn::Turn(Turns& turns, std::string source) : turns_(&turns), source_(std::move(source)) {
  auto& entry = turns.sources_[source_];
  if (!entry) entry = std::make_unique<Source>(turns.loop_, turns.of_one_source_);
  ++entry->users;
}

Turns::Turn::Turn(Turn&& other) noexcept
    : turns_(std::exchange(other.turns_, nullptr)),
      source_(std::move(other.source_)),
      own_(std::move(other.own_)),
      shared_(std::move(other.shared_)) {}

Turns::Turn::~Turn() {
  if (!turns_) return;
  shared_.reset();
  own_.reset();
  turns_->leave(source_);
}

void Turns::leave(const std::string& source) {
  const auto found = sources_.find(source);
  if (--found->second->users == 0) sources_.erase(found);
}

slipway::Task<Result<Turns::Turn>> Turns::take(std::string source, Duration patience,
                                               std::stop_token stop) {
  const Duration deadline = loop_.clock().uptime() + patience;
  Turn turn(*this, std::move(source));
  if (auto own = co_await enter_before(loop_, sources_.at(turn.source_)->limit, deadline, stop)) {
    turn.own_.emplace(std::move(*own));
    if (auto shared = co_await enter_before(loop_, shared_, deadline, stop)) {
      turn.shared_.emplace(std::move(*shared));
      co_return turn;
    }
  }
  if (stop.stop_requested()) co_return fail(ErrorCode::kCancelled, "stopped");
  co_return fail(ErrorCode::kTimeout,
                 fmt::format("not asked within {}: {} earlier queries to the same source are "
                             "still unanswered",
                             format_duration(patience), of_one_source_));
}

}  // namespace slipway::analysis
