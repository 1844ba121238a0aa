#include "control/tally.h"

namespace slipway::control {

void Tally::begin_look(const store::Key& key) {
  forget_gone();
  done_[key].gone.reset();
}

void Tally::count_look(const store::Key& key, Duration took, bool failed) {
  Done& done = done_[key];
  done.looks.observe(std::chrono::duration<double>(took).count());
  if (failed) ++done.failures;
}

void Tally::count_event(const store::Key& key, EventKind kind, const std::string& reason) {
  const auto found = done_.find(key);
  if (found == done_.end()) return;
  auto& events = found->second.events;
  const Event event{kind, reason};
  ++(events.size() < kMaxReasons || events.contains(event) ? events[event]
                                                           : events[{kind, "Other"}]);
}

void Tally::mark_gone(const store::Key& key) {
  forget_gone();
  const auto found = done_.find(key);
  if (found == done_.end() || found->second.gone) return;
  found->second.gone = clock_.uptime();
  gone_.emplace_back(*found->second.gone, key);
}

void Tally::forget_gone() {
  const Duration now = clock_.uptime();
  while (!gone_.empty() && now - gone_.front().first >= kKept) {
    const auto found = done_.find(gone_.front().second);
    // One that came back, and perhaps went again, is not meant.
    if (found != done_.end() && found->second.gone == gone_.front().first) done_.erase(found);
    gone_.pop_front();
  }
}

const std::map<store::Key, Tally::Done>& Tally::done() {
  forget_gone();
  return done_;
}

Task<Result<Outcome>> CountedReconciler::reconcile(store::Key key) {
  const Clock& clock = manager_.loop().clock();
  const Duration began = clock.uptime();
  tally_.begin_look(key);
  auto outcome = co_await inner_.reconcile(key);
  const bool failed = !outcome && outcome.error().code != ErrorCode::kConflict &&
                      outcome.error().code != ErrorCode::kCancelled;
  tally_.count_look(key, clock.uptime() - began, failed);
  if (!manager_.cache(kind_).get(key)) tally_.mark_gone(key);
  co_return outcome;
}

}  // namespace slipway::control
