#include "control/events.h"

#include <fmt/format.h>

#include <set>

#include "async/wait_all.h"
#include "base/json_skim.h"
#include "base/log.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

const api::Gvr kEvents{"", "v1", "events"};
constexpr std::size_t kMaxPending = 1000;
constexpr std::size_t kWrittenAtOnce = 32;  // events, sharing commits
constexpr std::size_t kMaxRemembered = 4096;
constexpr Duration kForgetEvery = std::chrono::minutes(1);
constexpr Duration kRemember = std::chrono::minutes(10);
// The so manieth message of one reason within kRemember, and those after it, share one event.
constexpr int kMaxSimilar = 10;
constexpr std::size_t kMaxMessage = 1024;
constexpr Duration kExpirySweep = std::chrono::minutes(5);
constexpr std::size_t kMaxName = 253;
constexpr std::size_t kReadAtOnce = 100;     // events, before others get the loop
constexpr std::size_t kRemovedAtOnce = 200;  // events, sharing commits

std::string subject(const json::Object& about) {
  return fmt::format("{}|{}|{}", api::uid_of(about), api::namespace_of(about), api::name_of(about));
}

// Never inside a character.
void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
}

// The object's name, the time, by which lists are in the order of what happened, and something
// random.
std::string event_name(std::string_view about, Time now, Random& random) {
  const std::string suffix =
      fmt::format(".{:016x}{:04x}", now.time_since_epoch().count(), random.next() & 0xffff);
  std::string name(about.substr(0, kMaxName - suffix.size()));
  while (name.ends_with('.') || name.ends_with('-')) name.pop_back();
  return name + suffix;
}

std::string_view type_of(EventKind kind) {
  return kind == EventKind::kNormal ? "Normal" : "Warning";
}

}  // namespace

Recorder::Recorder(Loop& loop, store::Store& store, Random& random, std::string component)
    : loop_(loop), store_(store), random_(random), component_(std::move(component)), gate_(loop) {}

void Recorder::record(const json::Object& about, EventKind kind, std::string reason,
                      std::string message) {
  if (listener_) listener_(about, kind, reason);
  if (pending_.size() >= kMaxPending) {
    log::warning("events", "dropped {} about {}: too many are waiting", reason,
                 api::name_of(about));
    return;
  }
  cut(message, kMaxMessage);
  // Only what an event needs of the object: it may be large.
  json::Object brief{
      {"apiVersion", about.if_contains("apiVersion") ? about.at("apiVersion") : ""},
      {"kind", about.if_contains("kind") ? about.at("kind") : ""},
      {"metadata", json::Object{{"name", api::name_of(about)},
                                {"namespace", api::namespace_of(about)},
                                {"uid", api::uid_of(about)},
                                {"resourceVersion", std::to_string(api::version_of(about))}}}};
  pending_.push_back({std::move(brief), kind, std::move(reason), std::move(message)});
  if (!std::exchange(writing_, true)) gate_.spawn(write_all());
}

Task<> Recorder::stop() { co_await gate_.close(); }

Task<> Recorder::write_all() {
  while (!pending_.empty()) {
    forget_old();
    // What is said about one object is written in its order.
    std::set<std::string> subjects;
    std::vector<Task<bool>> batch;
    while (!pending_.empty() && batch.size() < kWrittenAtOnce &&
           subjects.insert(subject(pending_.front().about)).second) {
      batch.push_back(write(std::move(pending_.front())));
      pending_.pop_front();
    }
    co_await wait_all(loop_, std::move(batch));
  }
  writing_ = false;
}

Task<bool> Recorder::write(Pending pending) {
  std::string words = fmt::format("{}|{}|{}|{}", subject(pending.about), type_of(pending.kind),
                                  pending.reason, pending.message);
  if (is_one_of_many(pending, words)) {
    words = fmt::format("{}|{}|{}", subject(pending.about), type_of(pending.kind), pending.reason);
    pending.message = "(combined from similar events): " + pending.message;
    cut(pending.message, kMaxMessage);
  }
  if (auto said = said_.find(words);
      said != said_.end() && co_await count_again(said->second, pending))
    co_return true;

  const std::string name = event_name(api::name_of(pending.about), loop_.clock().now(), random_);
  const std::string ns(api::namespace_of(pending.about).empty() ? "default"
                                                                : api::namespace_of(pending.about));
  auto made =
      co_await store_.create(kEvents, ns, make_event(pending, name), {.manager = component_});
  if (!made) {
    // A namespace on its way out takes no events; that is nobody's fault.
    log::debug("events", "{} about {}: {}", pending.reason, api::name_of(pending.about),
               made.error().text());
    co_return false;
  }
  said_[words] = {.event = made->key, .count = 1, .last = loop_.clock().uptime()};
  co_return true;
}

void Recorder::Bucket::refill(Duration now) {
  const auto more = (now - since) / kRefill;
  since += more * kRefill;
  left = static_cast<int>(std::min<std::int64_t>(kBurst, left + more));
}

bool Recorder::may_repeat(const std::string& subject) {
  const Duration now = loop_.clock().uptime();
  Bucket& bucket = buckets_.try_emplace(subject, Bucket{.since = now}).first->second;
  bucket.refill(now);
  if (bucket.left == 0) return false;
  if (bucket.left == kBurst) bucket.since = now;  // a full one does not save up time
  --bucket.left;
  return true;
}

Task<bool> Recorder::count_again(Said& said, const Pending& pending) {
  ++said.count;
  said.last = loop_.clock().uptime();
  if (!may_repeat(subject(pending.about))) co_return true;
  json::Object body{{"count", said.count},
                    {"message", pending.message},
                    {"lastTimestamp", format_time(loop_.clock().now())}};
  auto done = co_await store_.patch(kEvents, said.event,
                                    {.type = store::PatchType::kMerge, .body = std::move(body)},
                                    {.manager = component_});
  // Only one that is gone is made anew: without an answer, the count may be there all the same.
  co_return done || done.error().code != ErrorCode::kNotFound;
}

json::Object Recorder::make_event(const Pending& pending, const std::string& name) const {
  const json::Value about = pending.about;
  const std::string now = format_time(loop_.clock().now());
  const std::string ns(api::namespace_of(pending.about));
  return json::Object{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata", json::Object{{"name", name}, {"namespace", ns.empty() ? "default" : ns}}},
      {"involvedObject",
       json::Object{{"apiVersion", json::string_at(about, {"apiVersion"})},
                    {"kind", json::string_at(about, {"kind"})},
                    {"name", api::name_of(pending.about)},
                    {"namespace", ns},
                    {"uid", api::uid_of(pending.about)},
                    {"resourceVersion", std::to_string(api::version_of(pending.about))}}},
      {"type", type_of(pending.kind)},
      {"reason", pending.reason},
      {"message", pending.message},
      {"source", json::Object{{"component", component_}}},
      {"reportingComponent", component_},
      {"reportingInstance", ""},
      {"firstTimestamp", now},
      {"lastTimestamp", now},
      {"count", 1}};
}

bool Recorder::is_one_of_many(const Pending& pending, const std::string& words) {
  auto& similar = similar_[fmt::format("{}|{}", subject(pending.about), pending.reason)];
  if (said_.contains(words)) return false;
  if (similar.messages == 0) similar.since = loop_.clock().uptime();
  return ++similar.messages >= kMaxSimilar;
}

void Recorder::forget_old() {
  const Duration now = loop_.clock().uptime();
  const bool full = said_.size() >= kMaxRemembered || similar_.size() >= kMaxRemembered ||
                    buckets_.size() >= kMaxRemembered;
  if (!full && now - forgotten_ < kForgetEvery) return;
  forgotten_ = now;
  std::erase_if(said_,
                [&](const auto& entry) { return full || now - entry.second.last > kRemember; });
  std::erase_if(similar_,
                [&](const auto& entry) { return full || now - entry.second.since > kRemember; });
  for (auto& [subject, bucket] : buckets_) bucket.refill(now);
  std::erase_if(buckets_, [&](const auto& entry) { return full || entry.second.left == kBurst; });
}

namespace {

// Side by side, so that many share one commit. Those that have happened again meanwhile stay.
Task<> remove_events(Manager& manager, std::vector<store::Item> old, std::stop_token stop) {
  for (std::size_t begin = 0; begin < old.size() && !stop.stop_requested();
       begin += kRemovedAtOnce) {
    std::vector<Task<Result<store::Store::Deleted>>> batch;
    for (std::size_t i = begin; i < std::min(old.size(), begin + kRemovedAtOnce); ++i)
      batch.push_back(manager.store().remove(kEvents, old[i].key, {.if_version = old[i].version}));
    for (const auto& done : co_await wait_all(manager.loop(), std::move(batch)))
      if (!done && done.error().code != ErrorCode::kNotFound &&
          done.error().code != ErrorCode::kConflict)
        log::warning("events", "cannot remove an old event: {}", done.error().text());
  }
}

// When it last happened; none when it does not say.
std::optional<Time> last_time_of(const store::Item& item) {
  static constexpr std::string_view kLeftOut[] = {"managedFields", "involvedObject"};
  auto document =
      json::skim(*item.bytes, kLeftOut,
                 {.max_bytes = item.bytes->size() + 1, .max_depth = store::kMaxReadDepth});
  if (!document) return std::nullopt;
  const json::Value event(std::move(*document));
  auto time = parse_time(json::string_at(event, {"lastTimestamp"}));
  if (!time) time = parse_time(json::string_at(event, {"metadata", "creationTimestamp"}));
  return time ? std::optional<Time>(*time) : std::nullopt;
}

// Removes what happened before `limit`; returns the earliest time of those that stay.
Task<Result<Time>> sweep(Manager& manager, Time limit, std::stop_token stop) {
  Time earliest = manager.loop().clock().now();
  store::ListOptions options{.limit = kReadAtOnce};
  do {
    auto page = co_await manager.store().list(kEvents, options);
    if (!page) co_return std::unexpected(page.error());
    std::vector<store::Item> old;
    for (auto& item : page->items) {
      const auto last = last_time_of(item);
      if (last && *last < limit)
        old.push_back(std::move(item));
      else if (last)
        earliest = std::min(earliest, *last);
    }
    co_await remove_events(manager, std::move(old), stop);
    co_await next_turn(manager.loop());  // others are waiting, too
    options.continue_token = page->continue_token;
  } while (!options.continue_token.empty() && !stop.stop_requested());
  co_return earliest;
}

}  // namespace

// Nothing is remembered of them from sweep to sweep but when the first is due: they are many.
Task<> expire_events(Manager& manager, Duration keep, std::stop_token stop) {
  Duration wait = kExpirySweep;
  while (co_await sleep_for(manager.loop(), wait, stop)) {
    const Time now = manager.loop().clock().now();
    const auto earliest = co_await sweep(manager, now - keep, stop);
    if (!earliest)
      log::debug("events", "old events are looked for again later: {}", earliest.error().text());
    const Duration due = earliest ? *earliest + keep - now + std::chrono::seconds(1) : Duration();
    wait = std::max(kExpirySweep, due);
  }
}

}  // namespace slipway::control
