#pragma once

#include <map>
#include <set>
#include <string>

#include "scenario/simulated/reading.h"

// How updates went so far: by what happened, and by what people did. What the status says of wishes
// (`promoteFull`, `abort`) is not asked: a controller may lose them, or take them along.
namespace slipway::scenario {

struct Update {
  std::string hash = {};            // of what is rolled out
  store::Version begun = 0;         // when that, or the steps to it, last changed
  store::Version aborted = 0;       // the last time; 0: not in this update
  store::Version retried = 0;       // when a person last asked for what was aborted
  bool is_given_up = false;         // aborted, and nobody has asked for it again
  std::set<std::int64_t> passed{};  // steps that a person went past since it began, or was retried
  bool was_up = false;              // its set waited to be scaled down when it was asked for
  bool was_active = false;          // the active Service had it when it was asked for
  std::set<std::string> stable{};   // hashes that were stable before this change

  // What was asked for, analysed or passed before does not count.
  store::Version since() const { return std::max(begun, aborted); }
};

// Of all Rollouts, by uid.
class Course {
 public:
  explicit Course(const Story& story) : story_(story) {}

  void take(const sim::Change& change, const sim::Change* before, const Moment& now);
  const Update& of(const std::string& uid) { return updates_[uid]; }

  // A person wants it in full, and has not taken that back.
  bool is_promoted_in_full(const sim::Change& rollout);
  // Back to what was stable before: in the rollbackWindow, or to a blue-green set that is still up.
  // Steps, pauses and analyses may be left out.
  bool may_be_quick(const sim::Change& rollout, std::string_view stable, const Moment& now);

 private:
  void forget(const std::string& uid);

  const Story& story_;
  std::map<std::string, Update> updates_;
  std::map<std::string, Update> unaborted_;  // before the last abort: one that is taken back before
                                             // the status tells of it has not been
};

}  // namespace slipway::scenario
