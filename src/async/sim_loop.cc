#include "async/sim_loop.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>

namespace slipway {

namespace {

class SimClock final : public Clock {
 public:
  explicit SimClock(Time start) : start_(start) {}
  ~SimClock() override {
    while (!timers_.empty()) take_next(0);
  }
  Time now() const override { return start_ + elapsed_; }
  Duration uptime() const override { return elapsed_; }
  std::unique_ptr<Timer> call_after(Duration after, Work work) override;

  bool empty() const { return timers_.empty(); }
  Duration next_due() const { return timers_.begin()->first.first; }
  void advance_to(Duration when) { elapsed_ = std::max(elapsed_, when); }
  // Of the timers due next, at one moment: how many (up to a limit), and the one at `index`, taken
  // out.
  std::size_t count_next() const {
    std::size_t count = 0;
    for (auto it = timers_.begin(); it != timers_.end() && count < kMaxShuffledTimers; ++it) {
      if (it->first.first != next_due()) break;
      ++count;
    }
    return count;
  }
  Work take_next(std::size_t index) {
    auto it = std::next(timers_.begin(), static_cast<std::ptrdiff_t>(index));
    // The node leaves the map before its work is moved: the work's end may destroy other timers.
    auto node = timers_.extract(it);
    return std::move(node.mapped());
  }

 private:
  static constexpr std::size_t kMaxShuffledTimers = 64;
  using Key = std::pair<Duration, std::uint64_t>;  // when due, then in the order made
  class SimTimer;

  Time start_;
  Duration elapsed_ = {};
  std::uint64_t made_ = 0;
  std::map<Key, Work> timers_;
};

class SimClock::SimTimer final : public Clock::Timer {
 public:
  SimTimer(SimClock& clock, Key key) : clock_(clock), key_(key) {}
  ~SimTimer() override { auto node = clock_.timers_.extract(key_); }

 private:
  SimClock& clock_;
  Key key_;
};

std::unique_ptr<Clock::Timer> SimClock::call_after(Duration after, Work work) {
  Duration wait = std::clamp(after, Duration::zero(), Duration::max() - elapsed_);
  Key key{elapsed_ + wait, made_++};
  timers_.emplace(key, std::move(work));
  return std::make_unique<SimTimer>(*this, key);
}

class SimLoopImpl final : public SimLoop {
 public:
  explicit SimLoopImpl(SimOptions options)
      : options_(options), clock_(options.start), random_(seeded_random(options.seed)) {}

  void post(Work work) override {
    std::lock_guard lock(mutex_);
    ready_.push_back(std::move(work));
  }
  Clock& clock() override { return clock_; }
  void run() override { run_until(options_.run_limit); }
  void run_for(Duration duration) override {
    Duration until = std::min(clock_.uptime() + duration, options_.run_limit);
    if (run_until(until)) clock_.advance_to(until);
  }
  void stop() override { stopped_ = true; }
  std::uint64_t steps() const override { return steps_; }

 private:
  // False when stop() ended it.
  bool run_until(Duration limit) {
    while (!stopped_) {
      if (Work work = take_ready()) {
        ++steps_;
        work();
      } else if (!clock_.empty() && clock_.next_due() <= limit) {
        run_next_timer();
      } else {
        return true;
      }
    }
    stopped_ = false;
    return false;
  }

  Work take_ready() {
    std::lock_guard lock(mutex_);
    if (ready_.empty()) return nullptr;
    if (options_.shuffle && ready_.size() > 1) {
      std::swap(ready_.front(), ready_[static_cast<std::size_t>(random_->below(ready_.size()))]);
    }
    Work work = std::move(ready_.front());
    ready_.pop_front();
    return work;
  }

  // One timer a step: a timer's work may cancel another that is due at the same moment.
  void run_next_timer() {
    clock_.advance_to(clock_.next_due());
    std::size_t due = options_.shuffle ? clock_.count_next() : 1;
    Work work = clock_.take_next(due > 1 ? static_cast<std::size_t>(random_->below(due)) : 0);
    ++steps_;
    work();
  }

  SimOptions options_;
  SimClock clock_;
  std::unique_ptr<Random> random_;
  std::atomic<bool> stopped_ = false;
  std::uint64_t steps_ = 0;
  std::mutex mutex_;
  std::deque<Work> ready_;
};

}  // namespace

std::unique_ptr<SimLoop> make_sim_loop(SimOptions options) {
  return std::make_unique<SimLoopImpl>(options);
}

}  // namespace slipway
