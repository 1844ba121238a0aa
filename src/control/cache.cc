#include "control/cache.h"

#include <fmt/format.h>

#include <tuple>

#include "api/object.h"
#include "base/json_skim.h"
#include "base/log.h"
#include "control/queue.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

constexpr Duration kWatchPatience = std::chrono::minutes(5);
constexpr std::size_t kListPage = 500;
// A watch that lasted this long works, even if it brought nothing.
constexpr Duration kSteady = std::chrono::minutes(1);

}  // namespace

Cache::Cache(Loop& loop, store::Store& store, api::Gvr kind)
    : loop_(loop), store_(store), kind_(std::move(kind)), progress_(loop), gate_(loop) {}

void Cache::on_change(Handler handler) {
  for (const auto& entry : entries_) handler(nullptr, entry.get());
  handlers_.push_back(std::move(handler));
}

void Cache::start() { gate_.spawn(follow()); }

Task<> Cache::stop() {
  gate_.request_stop();
  co_await gate_.close();
}

Task<> Cache::wait_synced(std::stop_token stop) {
  while (!synced_ && !stop.stop_requested()) co_await progress_.wait(stop);
}

Task<bool> Cache::reach(store::Version version, Duration patience, std::stop_token stop) {
  const Duration deadline = loop_.clock().uptime() + patience;
  while (reached_ < version) {
    const Duration left = deadline - loop_.clock().uptime();
    if (left <= Duration::zero() || stop.stop_requested()) co_return false;
    hurry_ = true;
    waiting_.request_stop();
    co_await progress_.wait(left, stop);
  }
  co_return true;
}

void Cache::reached(store::Version version) {
  reached_ = version;
  progress_.notify_all();
}

Task<> Cache::follow() {
  const Backoff backoff{.first = std::chrono::milliseconds(50), .most = std::chrono::seconds(30)};
  int failures = 0;
  while (!gate_.stop().stop_requested()) {
    bool worked = false;
    Error ended;
    if (auto version = co_await relist(); version) {
      synced_ = true;
      reached(*version);
      ended = co_await follow_from(*version, worked);
    } else {
      ended = std::move(version).error();
    }
    // A list that works is no sign of health: whoever may list but not watch must not list all day.
    if (worked) failures = 0;
    if (ended.code != ErrorCode::kCancelled && ended.code != ErrorCode::kExpired)
      log::warning("cache", "{}: {}", kind_.resource, ended.text());
    co_await sleep_for(loop_, backoff.after(++failures), gate_.stop());
  }
}

Task<Result<store::Version>> Cache::relist() {
  std::set<store::Key> gone;
  for (const auto& entry : entries_) gone.insert(entry->key);
  store::ListOptions options{.limit = kListPage};
  store::Version version = 0;
  do {
    auto page = co_await store_.list(kind_, options);
    if (!page) co_return std::unexpected(page.error());
    for (auto& item : page->items) {
      gone.erase(item.key);
      put(std::move(item));
    }
    version = page->version;
    options.continue_token = page->continue_token;
  } while (!options.continue_token.empty());
  for (const auto& key : gone) drop(key);
  co_return version;
}

Task<Error> Cache::follow_from(store::Version version, bool& worked) {
  auto watch = co_await store_.watch(kind_, {.from = version, .bookmarks = true});
  if (!watch) co_return std::move(watch).error();
  const Duration began = loop_.clock().uptime();
  while (true) {
    auto events = co_await next(**watch);
    worked = worked || events || loop_.clock().uptime() - began >= kSteady;
    if (!events && events.error().code == ErrorCode::kTimeout) continue;
    if (!events) co_return std::move(events).error();
    for (auto& event : *events) {
      version = std::max(version, event.item.version);
      if (event.type == store::EventType::kBookmark) continue;
      if (event.type == store::EventType::kDeleted)
        drop(event.item.key);
      else
        put(std::move(event.item));
    }
    reached(version);
  }
}

// A watch tells how far it is when its patience ends: whoever waits to hear it makes it short.
Task<Result<std::vector<store::Event>>> Cache::next(store::Watch& watch) {
  if (!std::exchange(hurry_, false)) {
    waiting_ = std::stop_source();
    std::stop_callback ended(gate_.stop(), [this] { waiting_.request_stop(); });
    auto events = co_await watch.next(kWatchPatience, waiting_.get_token());
    if (events || !hurry_ || gate_.stop().stop_requested()) co_return events;
    if (events.error().code != ErrorCode::kCancelled) co_return events;
    hurry_ = false;
  }
  co_return co_await watch.next(Duration::zero(), gate_.stop());
}

std::string Cache::controller_prefix(const api::Gvk& kind) {
  return fmt::format("{}/{}/", kind.group, kind.kind);
}

void Cache::put(store::Item item) {
  // Indexed by what is in the metadata; the rest need not be built for that.
  static constexpr std::string_view kLeftOut[] = {"spec", "status", "data", "managedFields"};
  auto document =
      json::skim(*item.bytes, kLeftOut,
                 {.max_bytes = item.bytes->size() + 1, .max_depth = store::kMaxReadDepth});
  if (!document) {
    // Whatever we knew of it stands: an object that cannot be read has not gone.
    log::warning("cache", "{} passed over: {}", kind_.resource, document.error().text());
    return;
  }
  Entry entry{
      std::move(item), std::string(api::uid_of(*document)), api::labels_of(*document), {}, {}};
  for (auto& owner : api::owners_of(*document)) {
    if (owner.controller && entry.controller.empty())
      entry.controller =
          controller_prefix(api::parse_gvk(owner.api_version, owner.kind)) + owner.name;
    entry.owners.push_back(std::move(owner.uid));
  }

  auto found = entries_.find(entry.key);
  if (found != entries_.end() && (*found)->uid != entry.uid) {
    // Deleted and made anew between two lists.
    drop(entry.key);
    found = entries_.end();
  }
  if (found == entries_.end()) {
    const Entry& added = **entries_.insert(std::make_unique<Entry>(std::move(entry))).first;
    index(added, true);
    return tell(nullptr, &added);
  }
  Entry& known = **found;
  // Not "older": a cluster put back to an earlier state counts versions from there.
  if (known.version == entry.version) return;
  if (known.labels == entry.labels && known.owners == entry.owners) {
    // Indexed as it was: what the index looks at stays where it is.
    std::swap(static_cast<store::Item&>(known), static_cast<store::Item&>(entry));
    std::swap(known.controller, entry.controller);
    return tell(&entry, &known);
  }
  index(known, false);
  const Entry before = std::exchange(known, std::move(entry));
  index(known, true);
  tell(&before, &known);
}

void Cache::drop(const store::Key& key) {
  auto found = entries_.find(key);
  if (found == entries_.end()) return;
  index(**found, false);
  const auto before = std::move(entries_.extract(found).value());
  tell(before.get(), nullptr);
}

bool Cache::Mark::operator<(const Mark& other) const {
  if (const auto order = std::tie(name, value) <=> std::tie(other.name, other.value); order != 0)
    return order < 0;
  if (!entry || !other.entry) return !entry && other.entry;
  return entry->key < other.entry->key;
}

void Cache::index(const Entry& entry, bool in) {
  auto change = [&](const Mark& mark) {
    if (in)
      marks_.insert(mark);
    else
      marks_.erase(mark);
  };
  for (const auto& owner : entry.owners) change({.name = {}, .value = owner, .entry = &entry});
  for (const auto& [key, value] : entry.labels)
    change({.name = key, .value = value, .entry = &entry});
}

std::vector<const Cache::Entry*> Cache::marked(std::string_view name,
                                               std::string_view value) const {
  std::vector<const Entry*> found;
  auto mark = marks_.lower_bound({.name = name, .value = value});
  for (; mark != marks_.end() && mark->name == name && mark->value == value; ++mark)
    found.push_back(mark->entry);
  return found;
}

void Cache::tell(const Entry* before, const Entry* after) {
  for (const auto& handler : handlers_) handler(before, after);
}

const store::Item* Cache::get(const store::Key& key) const {
  auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->get();
}

std::vector<const store::Item*> Cache::list(std::string_view ns) const {
  std::vector<const store::Item*> found;
  auto entry =
      ns.empty() ? entries_.begin() : entries_.lower_bound(store::Key{std::string(ns), ""});
  for (; entry != entries_.end() && (ns.empty() || (*entry)->key.ns == ns); ++entry)
    found.push_back(entry->get());
  return found;
}

std::vector<const store::Item*> Cache::list_after(const store::Key* after, std::size_t most) const {
  std::vector<const store::Item*> found;
  auto entry = after ? entries_.upper_bound(*after) : entries_.begin();
  for (; entry != entries_.end() && found.size() < most; ++entry) found.push_back(entry->get());
  return found;
}

std::vector<const store::Item*> Cache::list(std::string_view ns,
                                            const api::LabelSelector& selector) const {
  std::vector<const store::Item*> found;
  const auto consider = [&](const Entry& entry) {
    if ((ns.empty() || entry.key.ns == ns) && selector.matches(entry.labels))
      found.push_back(&entry);
  };
  for (const auto& wanted : selector.requirements) {
    const bool equal =
        wanted.op == api::Requirement::Op::kIn || wanted.op == api::Requirement::Op::kEquals;
    if (!equal || wanted.values.size() != 1) continue;
    for (const Entry* entry : marked(wanted.key, wanted.values.front())) consider(*entry);
    return found;
  }
  for (const auto& entry : entries_) consider(*entry);
  return found;
}

std::vector<const store::Item*> Cache::owned_by(std::string_view uid) const {
  std::vector<const store::Item*> found;
  for (const Entry* entry : marked({}, uid)) found.push_back(entry);
  return found;
}

}  // namespace slipway::control
