#pragma once

#include <memory>

#include "async/signal.h"
#include "base/random.h"
#include "store/store.h"

namespace slipway::sim {

// How often what goes wrong, as shares of calls.
struct Faults {
  double conflict = 0.05;       // a write is refused as if somebody else had written first
  double unavailable = 0.03;    // a call fails without having happened
  double lost_answer = 0.03;    // a write happens, and its caller is told that it failed
  double expired_watch = 0.02;  // a watch has to start again
  Duration max_delay = std::chrono::milliseconds(40);
};

// A store as one incarnation of the program sees it: slow, failing, and gone after a crash.
//
// After crash() every call fails and nothing reaches the store below, as if the process had been
// killed between two writes.
class FaultyStore : public store::Store {
 public:
  FaultyStore(Loop& loop, store::Store& inner, Random& random, Faults faults);

  // The `writes`-th write from now on is the last one that happens.
  void crash_after(int writes) { writes_left_ = writes; }
  bool crashed() const { return crashed_; }
  void heal() {
    faults_ = {0, 0, 0, 0, std::chrono::milliseconds(1)};
    writes_left_ = -1;
  }
  Signal& crashed_signal() { return crash_; }

  Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override;
  Task<Result<store::Page>> list(api::Gvr kind, store::ListOptions options) override;
  Task<Result<std::unique_ptr<store::Watch>>> watch(api::Gvr kind,
                                                    store::WatchOptions options) override;
  Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override;
  Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                               store::DeleteOptions options) override;

 private:
  friend class FaultyWatch;
  Task<Result<>> before_read();
  Task<Result<>> before_write();
  template <class T>
  Result<T> after_write(Result<T> done);
  bool happens(double share) { return random_.unit() < share; }

  Loop& loop_;
  store::Store& inner_;
  Random& random_;
  Faults faults_;
  Signal crash_;
  int writes_left_ = -1;  // below 0: no crash planned
  bool crashed_ = false;
};

}  // namespace slipway::sim
