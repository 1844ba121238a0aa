#pragma once

#include <memory>

#include "async/completion.h"
#include "async/loop.h"

namespace slipway {

// Threads for work that blocks (disk, name resolution). Destroying the pool waits for what was given to it.
class Pool {
 public:
  virtual ~Pool() = default;
  virtual void submit(Work work) = 0;
};
std::unique_ptr<Pool> make_thread_pool(int threads);
// Runs the work at once on the caller's thread: for simulation.
std::unique_ptr<Pool> make_inline_pool();

// Runs `work` on the pool and resumes on the loop with its value.
template <class F, class T = std::invoke_result_t<F>>
Task<T> blocking(Loop& loop, Pool& pool, F work) {
  Completion<T> done(loop);
  pool.submit([done, work = std::move(work)]() mutable { done.set_from_any_thread(work()); });
  co_return co_await done;
}

}  // namespace slipway
