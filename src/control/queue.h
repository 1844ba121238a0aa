#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>

#include "async/signal.h"
#include "store/store.h"

namespace slipway::control {

// How long a key waits after its n-th failure in a row: doubling from `first` to `most`.
struct Backoff {
  Duration first = std::chrono::milliseconds(5);
  Duration most = std::chrono::seconds(60);
  Duration after(int failures) const {
    Duration wait = first;
    for (int i = 1; i < failures && wait < most; ++i) wait *= 2;
    return std::min(wait, most);
  }
};

// Keys that want a look, each at most once, each given to one worker at a time.
//
// A key added while it is being worked on comes again when that work is done. Of several timers for
// a key the earliest wins. One entry a key, so it is bounded by the number of objects.
template <class K>
class Queue {
 public:
  explicit Queue(Loop& loop, Backoff backoff = {})
      : loop_(loop), backoff_(backoff), filled_(loop) {}

  void add(const K& key) {
    later_.erase(key);
    if (auto taken = taken_.find(key); taken != taken_.end()) {
      taken->second = true;
      return;
    }
    if (!waiting_.insert(key).second) return;
    ready_.push_back(key);
    filled_.notify_one();
  }

  void add_after(const K& key, Duration after) {
    if (waiting_.contains(key)) return;
    if (after <= Duration::zero()) return add(key);
    const Duration due = loop_.clock().uptime() + after;
    auto [entry, fresh] = later_.try_emplace(key);
    if (!fresh && entry->second.due <= due) return;
    entry->second = {due, loop_.clock().call_after(after, [this, key] { add(K(key)); })};
  }

  // The next key; none once stopped. The worker calls done() or failed() for it.
  Task<std::optional<K>> take(std::stop_token stop) {
    while (!stop.stop_requested()) {
      if (ready_.empty()) {
        co_await filled_.wait(stop);
        continue;
      }
      K key = std::move(ready_.front());
      ready_.pop_front();
      waiting_.erase(key);
      taken_.emplace(key, false);
      co_return key;
    }
    co_return std::nullopt;
  }

  void done(const K& key) {
    failures_.erase(key);
    release(key);
  }

  // Comes again after its back-off.
  void failed(const K& key) {
    const int failures = ++failures_[key];
    release(key);
    add_after(key, backoff_.after(failures));
  }

  std::size_t size() const { return ready_.size() + later_.size() + taken_.size(); }

 private:
  struct Later {
    Duration due = {};
    std::unique_ptr<Clock::Timer> timer = {};
  };

  void release(const K& key) {
    auto taken = taken_.extract(key);
    SLIPWAY_ASSERT(!taken.empty());
    if (taken.mapped()) add(key);
  }

  Loop& loop_;
  Backoff backoff_;
  Signal filled_;
  std::deque<K> ready_;
  std::set<K> waiting_;      // those in ready_
  std::map<K, bool> taken_;  // true: added again meanwhile
  std::map<K, Later> later_;
  std::map<K, int> failures_;
};

}  // namespace slipway::control
