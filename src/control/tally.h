#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "control/events.h"
#include "control/histogram.h"
#include "control/manager.h"

namespace slipway::control {

// What was done about each object of one kind: looks and how long they took, failures, events. From
// the loop's thread.
//
// An object that has gone is kept for kKept more, so that what was counted last is asked for once
// more. Grows with the objects there are and those deleted of late.
class Tally {
 public:
  static constexpr double kBounds[] = {0.01, 0.15, 0.25, 0.5, 1};  // seconds
  static constexpr Duration kKept = std::chrono::seconds(65);
  // Of events about one object; those beyond are counted as "Other".
  static constexpr std::size_t kMaxReasons = 100;

  struct Event {
    EventKind kind = EventKind::kNormal;
    std::string reason = {};
    auto operator<=>(const Event&) const = default;
  };
  struct Done {
    Histogram looks{kBounds};
    std::uint64_t failures = 0;
    std::map<Event, std::uint64_t> events = {};
    std::optional<Duration> gone = {};  // uptime
  };

  explicit Tally(const Clock& clock) : clock_(clock) {}

  // Before a look: events are counted for objects that are looked at only.
  void begin_look(const store::Key& key);
  void count_look(const store::Key& key, Duration took, bool failed);
  void count_event(const store::Key& key, EventKind kind, const std::string& reason);
  void mark_gone(const store::Key& key);

  // By object. Valid until something else is called.
  const std::map<store::Key, Done>& done();

 private:
  void forget_gone();

  const Clock& clock_;
  std::map<store::Key, Done> done_;
  std::deque<std::pair<Duration, store::Key>> gone_;  // by when
};

// Another reconciler, with its looks counted. A look that lost against somebody else's write, or
// was cut off by the end of the program, is none that failed.
class CountedReconciler final : public Reconciler {
 public:
  CountedReconciler(Manager& manager, api::Gvr kind, Reconciler& inner, Tally& tally)
      : manager_(manager), kind_(std::move(kind)), inner_(inner), tally_(tally) {}

  Task<Result<Outcome>> reconcile(store::Key key) override;

 private:
  Manager& manager_;
  api::Gvr kind_;
  Reconciler& inner_;
  Tally& tally_;
};

}  // namespace slipway::control
