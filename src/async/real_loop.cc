#include "async/real_loop.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <mutex>
#include <optional>

#include "async/asio.h"

namespace slipway {

namespace {

namespace asio = boost::asio;

class RealTimer final : public Clock::Timer {
 public:
  RealTimer(asio::io_context& context, Duration after, Work work)
      : call_(std::make_shared<Call>(std::move(work))) {
    // The error is not asked: a timer may be cancelled after it expired, with its handler already
    // queued.
    auto run = [call = call_](boost::system::error_code = {}) {
      if (call->cancelled) return;
      Work now = std::move(call->work);
      now();
    };
    // What is due at once needs no call into the kernel.
    if (after <= Duration::zero()) {
      asio::post(context, std::move(run));
      return;
    }
    timer_.emplace(context).expires_after(after);
    timer_->async_wait(std::move(run));
  }
  ~RealTimer() override {
    call_->cancelled = true;
    call_->work = nullptr;
  }

 private:
  // Shared: the handler that Asio holds runs or is dropped after the timer may have gone.
  struct Call {
    explicit Call(Work w) : work(std::move(w)) {}
    Work work;
    bool cancelled = false;
  };
  // With the concrete executor, cheaper than any_io_executor.
  using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                           asio::wait_traits<std::chrono::steady_clock>,
                                           asio::io_context::executor_type>;
  std::optional<Timer> timer_;
  std::shared_ptr<Call> call_;
};

class RealClock final : public Clock {
 public:
  explicit RealClock(asio::io_context& context) : context_(context) {}
  Time now() const override { return std::chrono::system_clock::now(); }
  Duration uptime() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  std::unique_ptr<Timer> call_after(Duration after, Work work) override {
    return std::make_unique<RealTimer>(context_, std::min(after, kMaxAfter), std::move(work));
  }

 private:
  // Keeps "forever" (Duration::max()) from overflowing the clock.
  static constexpr Duration kMaxAfter = std::chrono::hours(24 * 365 * 10);
  asio::io_context& context_;
};

// Whoever posts this much before a turn of the loop posts without end: better to stop than to fill
// the memory.
constexpr std::size_t kMaxPosted = 10'000'000;

// Posted work has a queue of its own and not Asio's, which reorders what two threads post, and is
// drained in batches.
class RealLoop final : public Loop {
 public:
  RealLoop() : context_(1), guard_(context_.get_executor()), clock_(context_) {}

  void post(Work work) override {
    {
      std::lock_guard lock(mutex_);
      SLIPWAY_ASSERT(posted_.size() < kMaxPosted);
      posted_.push_back(std::move(work));
      if (std::exchange(drain_due_, true)) return;
    }
    asio::post(context_, [this] { drain(); });
  }
  Clock& clock() override { return clock_; }
  void run() override {
    context_.run();
    context_.restart();
  }
  void stop() override { context_.stop(); }
  asio::io_context& context() { return context_; }

 private:
  void drain() {
    {
      std::lock_guard lock(mutex_);
      drain_due_ = false;
      if (batch_.empty()) {
        batch_.swap(posted_);
      } else {
        std::move(posted_.begin(), posted_.end(), std::back_inserter(batch_));
        posted_.clear();
      }
    }
    // What this batch posts waits for the next one, so that sockets and timers get their turn in
    // between.
    while (!batch_.empty()) {
      Work work = std::move(batch_.front());
      batch_.pop_front();
      work();
      if (context_.stopped()) break;
    }
    if (!batch_.empty()) asio::post(context_, [this] { drain(); });
  }

  asio::io_context context_;
  asio::executor_work_guard<asio::io_context::executor_type> guard_;
  RealClock clock_;
  std::mutex mutex_;
  bool drain_due_ = false;
  std::deque<Work> posted_;
  std::deque<Work> batch_;
};

}  // namespace

std::unique_ptr<Loop> make_loop() { return std::make_unique<RealLoop>(); }

boost::asio::io_context& asio_context(Loop& loop) {
  auto* real = dynamic_cast<RealLoop*>(&loop);
  SLIPWAY_ASSERT(real != nullptr);
  return real->context();
}

}  // namespace slipway
