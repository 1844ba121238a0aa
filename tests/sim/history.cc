#include "sim/history.h"

#include <algorithm>
#include <utility>

namespace slipway::sim {

History::History(Loop& loop, store::Store& store, std::vector<api::Gvr> kinds)
    : loop_(loop), store_(store), kinds_(std::move(kinds)), gate_(loop) {}

void History::start() {
  for (const auto& kind : kinds_) gate_.spawn(follow(kind));
}

Task<> History::stop() {
  gate_.request_stop();
  co_await gate_.close();
}

Task<> History::follow(api::Gvr kind) {
  auto watch = co_await store_.watch(kind, {});
  SLIPWAY_ASSERT(watch);
  while (true) {
    auto events = co_await (*watch)->next(std::chrono::hours(24), gate_.stop());
    if (!events && events.error().code == ErrorCode::kTimeout) continue;
    if (!events) co_return;
    for (const auto& event : *events) {
      if (event.type == store::EventType::kBookmark) continue;
      auto document = json::read(*event.item.bytes);
      SLIPWAY_ASSERT(document && document->is_object());
      json::Object object = std::move(document->get_object());
      std::string uid(api::uid_of(object));
      auto owner = api::controller_of(object);
      changes_.push_back({.version = event.item.version,
                          .type = event.type,
                          .kind = kind,
                          .key = event.item.key,
                          .uid = std::move(uid),
                          .controller = owner ? std::move(owner->uid) : std::string(),
                          .object = std::move(object),
                          .time = loop_.clock().now()});
    }
  }
}

std::vector<Change> History::take_changes() {
  std::ranges::sort(changes_, {}, &Change::version);
  return std::exchange(changes_, {});
}

std::map<std::string, json::Object> world_before(const std::vector<Change>& changes,
                                                 store::Version version) {
  std::map<std::string, json::Object> world;
  for (const auto& change : changes) {
    if (change.version >= version) break;
    if (change.type == store::EventType::kDeleted)
      world.erase(change.uid);
    else
      world[change.uid] = change.object;
  }
  return world;
}

}  // namespace slipway::sim
