#include "store/embedded/state.h"

#include <algorithm>

namespace slipway::store {

Table& State::table(std::string_view name) {
  auto found = tables_.find(name);
  if (found == tables_.end()) {
    found = tables_.emplace(name, std::make_unique<Table>(std::string(name))).first;
    found->second->forgotten = restored_;
  }
  return *found->second;
}

RecordPtr State::find(const Table& table, KeyView key) {
  auto found = table.records.find(key);
  return found == table.records.end() ? nullptr : *found;
}

RecordPtr State::find_staged(const Table& table, KeyView key) {
  if (auto found = table.staged.find(key); found != table.staged.end()) {
    return found->second.erased ? nullptr : found->second.after;
  }
  return find(table, key);
}

void State::stage(const Change& change) {
  auto [entry, added] = change.table->staged.insert_or_assign(change.after->key, change);
  if (added) ++staged_;
}

void State::commit(const Change& change) {
  Table& table = *change.table;
  if (auto entry = table.staged.find(change.after->key);
      entry != table.staged.end() && entry->second.version() == change.version()) {
    table.staged.erase(entry);
    --staged_;
  }
  // Not the record that was decided upon: it may have been reworded since.
  if (auto known = table.records.find(change.after->key); known != table.records.end()) {
    object_bytes_ -= (*known)->bytes->size();
    table.records.erase(known);
  }
  if (!change.erased) {
    table.records.insert(change.after);
    object_bytes_ += change.after->bytes->size();
  }
  committed_ = change.version();
  remember(change);
}

void State::reword(Table& table, const RecordPtr& record) {
  auto known = table.records.find(record->key);
  SLIPWAY_ASSERT(known != table.records.end() && (*known)->version == record->version);
  object_bytes_ += record->bytes->size();
  object_bytes_ -= (*known)->bytes->size();
  table.records.insert(table.records.erase(known), record);
  // Watches that begin before it find it there. Its bytes are no part of history_bytes_: that
  // counts what is no longer current.
  auto change = std::ranges::lower_bound(table.history, record->version, {}, &Change::version);
  if (change != table.history.end() && change->version() == record->version) change->after = record;
}

void State::discard_staged() {
  for (auto& [name, table] : tables_) table->staged.clear();
  staged_ = 0;
}

namespace {
// What only the history holds on to: states that are no longer current.
std::size_t past_bytes(const Change& change) {
  return (change.before ? change.before->bytes->size() : 0) +
         (change.erased ? change.after->bytes->size() : 0);
}
}  // namespace

void State::remember(const Change& change) {
  change.table->history.push_back(change);
  order_.push_back(change.table);
  history_bytes_ += past_bytes(change);
  while (order_.size() > kMaxHistoryEvents || history_bytes_ > kMaxHistoryBytes) {
    Table& oldest = *order_.front();
    order_.pop_front();
    history_bytes_ -= past_bytes(oldest.history.front());
    oldest.forgotten = oldest.history.front().version();
    oldest.history.pop_front();
  }
}

bool State::restore(Table& table, RecordPtr record) {
  last_id_ = std::max(last_id_, record->id);
  last_version_ = std::max(last_version_, record->version);
  object_bytes_ += record->bytes->size();
  return table.records.insert(std::move(record)).second;
}

void State::restored(Version version) {
  last_version_ = std::max(last_version_, version);
  committed_ = last_version_;
  restored_ = committed_;
  for (auto& [name, table] : tables_) table->forgotten = restored_;
}

}  // namespace slipway::store
