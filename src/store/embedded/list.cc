#include "store/embedded/list.h"

#include <algorithm>

#include "store/expired_list.h"

namespace slipway::store {

namespace {

// What was different at `version`: the state of each key that changed since, null where there was
// none.
using Differences = std::map<Key, RecordPtr, ByKey>;

Differences differences_since(const Table& table, Version version) {
  Differences past;
  for (auto change = table.history.rbegin();
       change != table.history.rend() && change->version() > version; ++change) {
    past.insert_or_assign(change->after->key, change->before);
  }
  return past;
}

// The records of a table from `after` on as they were, in order.
class Walk {
 public:
  Walk(const Table& table, const Differences& past, KeyView after)
      : now_(table.records.upper_bound(after)),
        now_end_(table.records.end()),
        past_(past.upper_bound(after)),
        past_end_(past.end()) {}

  // Null at the end.
  const Record* next() {
    while (now_ != now_end_ || past_ != past_end_) {
      bool from_past = past_ != past_end_ &&
                       (now_ == now_end_ || KeyView(past_->first) <= KeyView((*now_)->key));
      if (!from_past) return (now_++)->get();
      if (now_ != now_end_ && KeyView(past_->first) == KeyView((*now_)->key)) ++now_;
      const Record* record = (past_++)->second.get();
      if (record) return record;
    }
    return nullptr;
  }

 private:
  std::set<RecordPtr, ByKey>::const_iterator now_, now_end_;
  Differences::const_iterator past_, past_end_;
};

}  // namespace

Result<Page> list_page(const Table& table, Version committed, const Selection& selection,
                       const ListOptions& options, const api::Resource& resource) {
  ContinueToken from{committed, {selection.ns(), ""}};
  Differences past;
  if (!options.continue_token.empty()) {
    Result<ContinueToken> token = read_token(options.continue_token);
    if (!token) return std::unexpected(std::move(token).error());
    from = std::move(*token);
    if (from.version == 0) {
      from.version = committed;
    } else if (from.version < table.forgotten || from.version > committed) {
      return expired_list(write_token({0, std::move(from.after)}));
    }
    past = differences_since(table, from.version);
  }

  Page page{.items = {}, .version = from.version};
  if (selection.is_whole() && selection.ns().empty()) {
    page.items.reserve(options.limit == 0 ? table.records.size()
                                          : std::min(options.limit, table.records.size()));
  }
  Walk walk(table, past, from.after);
  std::size_t beyond = 0;
  while (const Record* record = walk.next()) {
    // Keys are sorted by namespace first: past ours there is nothing more.
    if (!selection.ns().empty() && record->key.ns > selection.ns()) break;
    if (!selection.contains(*record)) continue;
    if (options.limit != 0 && page.items.size() == options.limit) {
      ++beyond;
      if (!selection.is_whole()) break;
      continue;
    }
    page.items.push_back(item_of(*record, resource));
  }
  if (beyond > 0) {
    page.continue_token = write_token({from.version, page.items.back().key});
    if (selection.is_whole()) page.remaining = beyond;
  }
  return page;
}

}  // namespace slipway::store
