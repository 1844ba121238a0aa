#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "store/embedded/record.h"

namespace slipway::store {

class TableWatch;
struct Table;

// One write of one object. The new state's version is the change's.
struct Change {
  Table* table = nullptr;
  RecordPtr before;  // null: created
  RecordPtr after;   // erased: the last state, under the version of the deletion
  bool erased = false;

  Version version() const { return after->version; }
};

// All objects of one kind, whatever version of it they were written in.
struct Table {
  explicit Table(std::string named) : name(std::move(named)) {}

  const std::string name;  // "rollouts.argoproj.io"; "pods" in the core group
  std::set<RecordPtr, ByKey> records;
  std::map<Key, Change, ByKey> staged;  // decided, not yet committed; the last one of each key
  std::deque<Change> history;           // committed, in order
  Version forgotten = 0;                // what happened up to here is no longer in the history
  std::list<TableWatch*> watches;       // each takes itself out when it ends
};

// The history is as long as both limits allow, all kinds together.
inline constexpr std::size_t kMaxHistoryEvents = 20'000;
inline constexpr std::size_t kMaxHistoryBytes = 16 * 1024 * 1024;

// Every object, the writes on their way, and the recent past. Loop thread only; no I/O.
//
// A write is staged (visible to later decisions only), then committed (visible to all) or discarded
// with all others.
class State {
 public:
  Table& table(std::string_view name);
  const std::map<std::string, std::unique_ptr<Table>, std::less<>>& tables() const {
    return tables_;
  }

  // As committed; null when there is none.
  static RecordPtr find(const Table& table, KeyView key);
  // As it will be once all staged writes are committed.
  static RecordPtr find_staged(const Table& table, KeyView key);

  // Versions and row ids are never given out twice, also when the write they were for fails.
  Version take_version() { return ++last_version_; }
  std::int64_t take_id() { return ++last_id_; }
  Version committed() const { return committed_; }

  void stage(const Change& change);
  void commit(const Change& change);
  // The present state of an object in other words, under the version it has: no change, and nobody
  // is told.
  void reword(Table& table, const RecordPtr& record);
  void discard_staged();
  std::size_t staged() const { return staged_; }

  // Puts back what a journal kept; false when there is one of that name already. `version`: the
  // last one given out before.
  bool restore(Table& table, RecordPtr record);
  void restored(Version version);

  std::size_t object_bytes() const { return object_bytes_; }
  std::size_t history_events() const { return order_.size(); }
  std::size_t history_bytes() const { return history_bytes_; }

 private:
  void remember(const Change& change);

  std::map<std::string, std::unique_ptr<Table>, std::less<>> tables_;
  std::deque<Table*> order_;  // whose history the next oldest change is in
  std::size_t history_bytes_ = 0;
  std::size_t object_bytes_ = 0;
  std::size_t staged_ = 0;
  Version last_version_ = 0;
  Version committed_ = 0;
  Version restored_ = 0;  // nothing of what happened up to here is in any history
  std::int64_t last_id_ = 0;
};

}  // namespace slipway::store
