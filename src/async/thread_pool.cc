#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "async/blocking.h"

namespace slipway {

namespace {

// More than this waiting is a bug: whoever submits waits for answers and has limits of its own.
constexpr std::size_t kMaxWaiting = 1'000'000;

class ThreadPool final : public Pool {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~ThreadPool() override {
    {
      std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void submit(Work work) override {
    {
      std::lock_guard lock(mutex_);
      SLIPWAY_ASSERT(waiting_.size() < kMaxWaiting);
      waiting_.push_back(std::move(work));
    }
    changed_.notify_one();
  }

 private:
  void serve() {
    while (Work work = take()) work();
  }
  // Null when the pool ends and nothing is left.
  Work take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return nullptr;
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    return work;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

class InlinePool final : public Pool {
 public:
  void submit(Work work) override { work(); }
};

}  // namespace

std::unique_ptr<Pool> make_thread_pool(int threads) {
  SLIPWAY_ASSERT(threads > 0);
  return std::make_unique<ThreadPool>(threads);
}

std::unique_ptr<Pool> make_inline_pool() { return std::make_unique<InlinePool>(); }

}  // namespace slipway
