#include "store/embedded/watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/embedded/wording.h"

namespace slipway::store {

TableWatch::TableWatch(Loop& loop, const State& state, Table& table, Start start)
    : loop_(loop),
      state_(state),
      table_(&table),
      place_(table.watches.insert(table.watches.end(), this)),
      start_(std::move(start)),
      seen_(start_.from),
      told_(start_.from),
      last_sent_(loop.clock().uptime()),
      due_(!start_.snapshot.empty() || start_.mark_initial_end ||
           (!table.history.empty() && table.history.back().version() > start_.from)),
      changed_(loop) {}

TableWatch::~TableWatch() {
  if (table_) table_->watches.erase(place_);
}

void TableWatch::notice(const Change& change) {
  if (!start_.selection.may_contain(change.after->key)) return;
  // Nothing before this one was ours, so it does not matter whether the history still has it.
  if (!due_) seen_ = std::max(seen_, change.version() - 1);
  due_ = true;
  changed_.notify_all();
}

void TableWatch::close() {
  table_ = nullptr;
  changed_.notify_all();
}

Task<Result<std::vector<Event>>> TableWatch::next(Duration patience, std::stop_token stop) {
  Clock& clock = loop_.clock();
  const Duration deadline = clock.uptime() + patience;
  while (true) {
    if (!table_) co_return fail(ErrorCode::kCancelled, "the store is stopping");
    if (stop.stop_requested()) co_return fail(ErrorCode::kCancelled, "the watch was stopped");
    if (due_) {
      Result<std::vector<Event>> events = take();
      if (!events || !events->empty()) {
        last_sent_ = clock.uptime();
        co_return events;
      }
    }
    const Duration now = clock.uptime();
    const bool over = now >= deadline;
    if (start_.bookmarks &&
        (now >= last_sent_ + kBookmarkInterval || (over && told_ < state_.committed()))) {
      last_sent_ = now;
      std::vector<Event> events;
      events.push_back(bookmark(false));
      co_return events;
    }
    if (over) co_return fail(ErrorCode::kTimeout, "nothing happened");
    Duration wait = deadline - now;
    if (start_.bookmarks) wait = std::min(wait, last_sent_ + kBookmarkInterval - now);
    co_await changed_.wait(wait, stop);
  }
}

Result<std::vector<Event>> TableWatch::take() {
  std::vector<Event> events;
  take_snapshot(events);
  if (events.size() < kMaxEventsAtOnce) {
    if (Result<> taken = take_history(events); !taken)
      return std::unexpected(std::move(taken).error());
  }
  return events;
}

void TableWatch::take_snapshot(std::vector<Event>& events) {
  while (given_ < start_.snapshot.size() && events.size() < kMaxEventsAtOnce) {
    const RecordPtr record = std::move(start_.snapshot[given_++]);
    add(events, EventType::kAdded, *record, record->version);
  }
  if (given_ < start_.snapshot.size()) return;
  start_.snapshot = {};
  given_ = 0;
  if (start_.mark_initial_end) {
    start_.mark_initial_end = false;
    told_ = std::max(told_, start_.from);
    events.push_back(bookmark(true));
  }
}

Result<> TableWatch::take_history(std::vector<Event>& events) {
  if (seen_ < table_->forgotten) return too_old(seen_, table_->forgotten);
  auto change = std::ranges::upper_bound(table_->history, seen_, {}, &Change::version);
  for (; change != table_->history.end() && events.size() < kMaxEventsAtOnce; ++change) {
    seen_ = change->version();
    if (!start_.selection.may_contain(change->after->key)) continue;
    const bool was = change->before && start_.selection.contains(*change->before);
    const bool is = !change->erased && start_.selection.contains(*change->after);
    if (is) {
      add(events, was ? EventType::kModified : EventType::kAdded, *change->after, seen_);
    } else if (was && change->erased) {
      add(events, EventType::kDeleted, *change->after, seen_);
    } else if (was) {
      // It left the selection: as it was when last selected, under the version at which it left.
      Record last = *change->before;
      last.bytes = with_version(last, seen_);
      last.version = seen_;
      add(events, EventType::kDeleted, last, seen_);
    }
  }
  if (change == table_->history.end()) {
    due_ = false;
    seen_ = std::max(seen_, state_.committed());
  }
  return {};
}

void TableWatch::add(std::vector<Event>& events, EventType type, const Record& record,
                     Version version) {
  told_ = std::max(told_, version);
  events.push_back({type, item_of(record, *start_.resource)});
}

Event TableWatch::bookmark(bool initial_end) {
  // Everything up to `seen_` was given; at the end of the history that is the last committed write.
  const Version version = initial_end ? start_.from : std::max(seen_, state_.committed());
  told_ = std::max(told_, version);
  json::Object metadata{{"resourceVersion", fmt::format_int(version).str()},
                        {"creationTimestamp", nullptr}};
  if (initial_end) metadata["annotations"] = json::Object{{"k8s.io/initial-events-end", "true"}};
  json::Object object{{"kind", start_.resource->gvk.kind},
                      {"apiVersion", start_.resource->gvk.api_version()},
                      {"metadata", std::move(metadata)}};
  return {EventType::kBookmark,
          {.key = {},
           .version = version,
           .bytes = std::make_shared<const std::string>(json::write(object))}};
}

}  // namespace slipway::store
