#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "api/object.h"
#include "async/gate.h"
#include "base/random.h"
#include "control/manager.h"

namespace slipway::control {

enum class EventKind { kNormal, kWarning };

// Tells people what a controller did, as core/v1 Events (`kubectl get events`, `describe`).
//
// The same thing said again about the same object raises the count of its first event instead of
// making another. Many different messages with one reason are folded into one. What is said again
// and again is written kBurst times per object, and then once every kRefill, with all of its count:
// a controller that goes round in circles costs no writes. Recording never fails the caller: what
// cannot be written is dropped with a log line.
class Recorder {
 public:
  static constexpr int kBurst = 25;
  static constexpr Duration kRefill = std::chrono::minutes(5);

  Recorder(Loop& loop, store::Store& store, Random& random, std::string component);

  void record(const json::Object& about, EventKind kind, std::string reason, std::string message);
  // Hears of everything that is recorded, also of what raises a count or is dropped. One at most.
  using Listener =
      std::function<void(const json::Object& about, EventKind, const std::string& reason)>;
  void on_record(Listener listener) { listener_ = std::move(listener); }
  // Writes what is still waiting.
  Task<> stop();

 private:
  struct Said {
    store::Key event;
    int count = 1;
    Duration last = {};
  };
  struct Similar {
    int messages = 0;
    Duration since = {};
  };
  struct Bucket {
    int left = kBurst;    // repeats that may be written
    Duration since = {};  // uptime of the last refill
    void refill(Duration now);
  };
  struct Pending {
    json::Object about;
    EventKind kind;
    std::string reason;
    std::string message;
  };
  Task<> write_all();
  Task<bool> write(Pending pending);  // whether it is written
  Task<bool> count_again(Said& said, const Pending& pending);
  bool may_repeat(const std::string& subject);
  json::Object make_event(const Pending& pending, const std::string& name) const;
  bool is_one_of_many(const Pending& pending, const std::string& words);
  void forget_old();

  Loop& loop_;
  store::Store& store_;
  Random& random_;
  std::string component_;
  Listener listener_;
  std::deque<Pending> pending_;
  bool writing_ = false;
  std::map<std::string, Said> said_;        // by object, reason and message; by object and reason
  std::map<std::string, Similar> similar_;  // by object and reason
  std::map<std::string, Bucket> buckets_;   // by object
  Duration forgotten_ = {};                 // when old ones were last looked for
  Gate gate_;
};

// Deletes events that last happened longer than `keep` ago, for the embedded store (a cluster's
// expire by themselves).
Task<> expire_events(Manager& manager, Duration keep, std::stop_token stop);

}  // namespace slipway::control
