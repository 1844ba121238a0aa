#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "async/completion.h"
#include "async/loop.h"

namespace slipway {

// Threads for work that blocks (disk, name resolution). Destroying the pool waits for what was
// given to it, so a loop outlives the pools that answer to it. submit() may be called from any
// thread.
class Pool {
 public:
  virtual ~Pool() = default;
  virtual void submit(Work work) = 0;
};
std::unique_ptr<Pool> make_thread_pool(int threads);
// Runs the work at once on the caller's thread: for simulation.
std::unique_ptr<Pool> make_inline_pool();

// Runs `work` on the pool and resumes on the loop with its value. What `work` captured is destroyed
// on the pool, before the caller resumes.
template <class F, class T = std::invoke_result_t<F>>
Task<T> blocking(Loop& loop, Pool& pool, F work) {
  using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
  Completion<Value> done(loop);
  pool.submit([done, work = std::optional<F>(std::move(work))]() mutable {
    if constexpr (std::is_void_v<T>) {
      (*work)();
      work.reset();
      std::move(done).set_from_any_thread({});
    } else {
      Value value = (*work)();
      work.reset();
      std::move(done).set_from_any_thread(std::move(value));
    }
  });
  if constexpr (std::is_void_v<T>) {
    co_await done;
  } else {
    co_return co_await done;
  }
}

}  // namespace slipway
