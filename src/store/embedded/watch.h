#pragma once

#include <memory>
#include <string>
#include <vector>

#include "async/signal.h"
#include "store/embedded/selection.h"
#include "store/embedded/state.h"

namespace slipway::store {

inline constexpr std::size_t kMaxEventsAtOnce = 500;  // in one answer of next()
inline constexpr Duration kBookmarkInterval = std::chrono::minutes(1);

// A watch is a place in its table's history: it holds no events of its own. A slow one costs its
// place, and until it is through with it the objects of the snapshot it began with, then its own
// expiry once the history has moved past it.
class TableWatch final : public Watch {
 public:
  struct Start {
    Selection selection;
    Version from = 0;                 // what happened after this
    std::vector<RecordPtr> snapshot;  // given first, as added
    bool mark_initial_end = false;
    bool bookmarks = false;
    // As asked for. Shared: its definition may go while the watch lasts.
    std::shared_ptr<const api::Resource> resource;
  };
  TableWatch(Loop& loop, const State& state, Table& table, Start start);
  ~TableWatch() override;

  Task<Result<std::vector<Event>>> next(Duration patience, std::stop_token stop) override;

  // The table has changed; wakes the watch when the change may be one it is about.
  void notice(const Change& change);
  // The store ends: next() gives kCancelled from now on, and the table is not touched any more.
  void close();

 private:
  Result<std::vector<Event>> take();
  void take_snapshot(std::vector<Event>& events);
  Result<> take_history(std::vector<Event>& events);
  void add(std::vector<Event>& events, EventType type, const Record& record, Version version);
  Event bookmark(bool initial_end);

  Loop& loop_;
  const State& state_;
  Table* table_;  // null once closed
  std::list<TableWatch*>::iterator place_;
  Start start_;
  std::size_t given_ = 0;  // of the snapshot
  Version seen_;           // everything up to here has been given or passed over
  Version told_;           // the version the receiver knows of
  Duration last_sent_;
  bool due_;  // there may be something to take
  Signal changed_;
};

}  // namespace slipway::store
