#include <fmt/format.h>

#include "store/embedded/engine.h"
#include "store/embedded/list.h"
#include "store/embedded/watch.h"
#include "store/embedded/wording.h"

namespace slipway::store {

Task<Result<Item>> Engine::get(api::Gvr kind, Key key) {
  Result<Kind> found = find_kind(kind);
  if (!found) co_return std::unexpected(std::move(found).error());
  RecordPtr record = State::find(*found->table, key);
  if (!record) co_return not_found(*found->resource, key.name);
  co_return item_of(*record, *found->resource);
}

Task<Result<Page>> Engine::list(api::Gvr kind, ListOptions options) {
  Result<Kind> found = find_kind(kind);
  if (!found) co_return std::unexpected(std::move(found).error());
  Result<Selection> selection = Selection::make(options.ns, std::move(options.labels),
                                                std::move(options.fields), *found->resource);
  if (!selection) co_return std::unexpected(std::move(selection).error());
  co_return list_page(*found->table, state_->committed(), *selection, options, *found->resource);
}

Task<Result<std::unique_ptr<Watch>>> Engine::watch(api::Gvr kind, WatchOptions options) {
  Result<Kind> found = find_kind(kind);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (queue_.stopping()) co_return fail(ErrorCode::kCancelled, "the store is stopping");
  Result<Selection> selection = Selection::make(options.ns, std::move(options.labels),
                                                std::move(options.fields), *found->resource);
  if (!selection) co_return std::unexpected(std::move(selection).error());
  Table& table = *found->table;
  const Version now = state_->committed();
  if (options.from != 0 && options.from < table.forgotten)
    co_return too_old(options.from, table.forgotten);
  if (options.from > now) {
    // A version of another life of this store. Waiting for it would miss what happens until then.
    co_return fail(ErrorCode::kExpired,
                   fmt::format("too large resource version: {}, current: {}", options.from, now));
  }
  TableWatch::Start start{.selection = std::move(*selection),
                          .from = options.from == 0 ? now : options.from,
                          .snapshot = {},
                          .mark_initial_end = options.from == 0 && options.mark_initial_end,
                          .bookmarks = options.bookmarks,
                          .resource = found->resource};
  if (options.from == 0) {
    for (const RecordPtr& record : table.records) {
      if (start.selection.contains(*record)) start.snapshot.push_back(record);
    }
  }
  co_return std::make_unique<TableWatch>(loop_, *state_, table, std::move(start));
}

}  // namespace slipway::store
