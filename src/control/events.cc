#include "control/events.h"

#include <fmt/format.h>

#include "base/log.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

const api::Gvr kEvents{"", "v1", "events"};
constexpr std::size_t kMaxPending = 1000;
constexpr std::size_t kMaxRemembered = 4096;
constexpr Duration kRemember = std::chrono::minutes(10);
constexpr int kMaxSimilar =
    10;  // different messages of one reason within kRemember, then they are folded
constexpr std::size_t kMaxMessage = 1024;
constexpr Duration kExpirySweep = std::chrono::minutes(1);

std::string subject(const json::Object& about) {
  return fmt::format("{}|{}|{}", api::uid_of(about), api::namespace_of(about), api::name_of(about));
}

std::string_view type_of(EventKind kind) {
  return kind == EventKind::kNormal ? "Normal" : "Warning";
}

}  // namespace

Recorder::Recorder(Loop& loop, store::Store& store, Random& random, std::string component)
    : loop_(loop), store_(store), random_(random), component_(std::move(component)), gate_(loop) {}

void Recorder::record(const json::Object& about, EventKind kind, std::string reason,
                      std::string message) {
  if (pending_.size() >= kMaxPending) {
    log::warning("events", "dropped {} about {}: too many are waiting", reason,
                 api::name_of(about));
    return;
  }
  if (message.size() > kMaxMessage) message.resize(kMaxMessage);
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
    Pending next = std::move(pending_.front());
    pending_.pop_front();
    co_await write(std::move(next));
  }
  writing_ = false;
}

Task<> Recorder::write(Pending pending) {
  forget_old();
  const std::string message = fold_similar(pending);
  pending.message = message;
  const std::string words = fmt::format("{}|{}|{}|{}", subject(pending.about),
                                        type_of(pending.kind), pending.reason, pending.message);
  if (auto said = said_.find(words); said != said_.end() && co_await count_again(said->second))
    co_return;

  const std::string name = fmt::format("{}.{:016x}", api::name_of(pending.about), random_.next());
  const std::string ns(api::namespace_of(pending.about).empty() ? "default"
                                                                : api::namespace_of(pending.about));
  auto made =
      co_await store_.create(kEvents, ns, make_event(pending, name), {.manager = component_});
  if (!made) {
    // A namespace on its way out takes no events; that is nobody's fault.
    log::debug("events", "{} about {}: {}", pending.reason, api::name_of(pending.about),
               made.error().text());
    co_return;
  }
  said_[words] = {.event = made->key, .count = 1, .last = loop_.clock().uptime()};
}

Task<bool> Recorder::count_again(Said& said) {
  json::Object body{{"count", said.count + 1}, {"lastTimestamp", format_time(loop_.clock().now())}};
  auto done = co_await store_.patch(kEvents, said.event,
                                    {.type = store::PatchType::kMerge, .body = std::move(body)},
                                    {.manager = component_});
  if (!done) co_return false;
  ++said.count;
  said.last = loop_.clock().uptime();
  co_return true;
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

std::string Recorder::fold_similar(const Pending& pending) {
  auto& similar = similar_[fmt::format("{}|{}", subject(pending.about), pending.reason)];
  const std::string words = fmt::format("{}|{}|{}|{}", subject(pending.about),
                                        type_of(pending.kind), pending.reason, pending.message);
  if (said_.contains(words)) return pending.message;
  if (similar.messages == 0) similar.since = loop_.clock().uptime();
  if (++similar.messages <= kMaxSimilar) return pending.message;
  return fmt::format("(combined from similar events) {}", pending.reason);
}

void Recorder::forget_old() {
  const Duration now = loop_.clock().uptime();
  const bool full = said_.size() >= kMaxRemembered || similar_.size() >= kMaxRemembered;
  std::erase_if(said_,
                [&](const auto& entry) { return full || now - entry.second.last > kRemember; });
  std::erase_if(similar_,
                [&](const auto& entry) { return full || now - entry.second.since > kRemember; });
}

Task<> expire_events(Manager& manager, Duration keep, std::stop_token stop) {
  Cache& events = manager.cache(kEvents);
  while (co_await sleep_for(manager.loop(), kExpirySweep, stop)) {
    std::vector<store::Key> old;
    const Time limit = manager.loop().clock().now() - keep;
    for (const auto* item : events.list()) {
      auto document = store::decode(*item);
      if (!document) continue;
      const json::Value event(std::move(*document));
      auto last = parse_time(json::string_at(event, {"lastTimestamp"}));
      if (!last) last = parse_time(json::string_at(event, {"metadata", "creationTimestamp"}));
      if (last && *last < limit) old.push_back(item->key);
    }
    for (const auto& key : old) {
      if (stop.stop_requested()) co_return;
      co_await manager.store().remove(kEvents, key, {});
    }
  }
}

}  // namespace slipway::control
