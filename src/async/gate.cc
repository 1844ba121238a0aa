#include "async/gate.h"

namespace slipway {

Gate::~Gate() { SLIPWAY_ASSERT(inside_ == 0); }

void Gate::spawn(Task<> task) {
  if (closed_) return;
  ++inside_;
  slipway::spawn(loop_, count(std::move(task)));
}

Task<> Gate::close() {
  closed_ = true;
  while (inside_ > 0) co_await emptied_.wait();
}

Task<> Gate::count(Task<> task) {
  {
    // Its arguments go before it is counted out: they may hold what the owner is about to destroy.
    Task<> inner = std::move(task);
    co_await std::move(inner);
  }
  if (--inside_ == 0) emptied_.notify_all();
}

}  // namespace slipway
