#include <fmt/format.h>

#include "server/metrics.h"
#include "server/present.h"
#include "server/read.h"
#include "server/read_options.h"
#include "server/status.h"
#include "server/table.h"

namespace slipway::server {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;

// Events of one store watch as lines of JSON, until the client goes, the time is over or the store
// gives up.
class WatchBody : public http::Stream {
 public:
  WatchBody(const Services& services, const Call& call, Include include,
            std::unique_ptr<store::Watch> watch, Duration lifetime, Limit::Permit permit)
      : services_(services),
        resource_(call.resource),
        accepted_(call.accepted),
        watch_(std::move(watch)),
        deadline_(services.loop.clock().uptime() + lifetime),
        permit_(std::move(permit)),
        counted_(services.metrics, call.resource->plural) {
    if (accepted_.form == Accepted::Form::kTable)
      table_.emplace(*resource_, include, accepted_.meta_version, services.loop.clock().now());
  }

  Task<Result<std::string>> next(std::stop_token stop) override {
    if (sent_ == events_.size()) {
      auto left = deadline_ - services_.loop.clock().uptime();
      if (ended_ || left <= Duration::zero()) co_return std::string();
      auto events = co_await watch_->next(left, stop);
      if (!events) {
        ended_ = true;
        auto code = events.error().code;
        if (code == ErrorCode::kTimeout || code == ErrorCode::kCancelled) co_return std::string();
        co_return frame("ERROR", failure_text(events.error()));
      }
      events_ = std::move(*events);
      sent_ = 0;
    }
    co_return piece();
  }

  static std::string frame(std::string_view type, std::string_view object) {
    return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
  }
  static std::string failure_text(const Error& error) {
    auto text = failure_status(error);
    text.pop_back();  // the newline
    return text;
  }

 private:
  // Events wait as the store's own bytes, which all watchers share; what is written out for this
  // one is a piece at a time, so that a client that does not read costs little.
  std::string piece() {
    std::string lines;
    while (sent_ < events_.size() && lines.size() < kPieceBytes) add(lines, events_[sent_++]);
    if (sent_ == events_.size()) events_.clear(), sent_ = 0;
    return lines;
  }

  void add(std::string& lines, const store::Event& event) {
    std::string_view type = event.type == store::EventType::kAdded      ? "ADDED"
                            : event.type == store::EventType::kModified ? "MODIFIED"
                            : event.type == store::EventType::kDeleted  ? "DELETED"
                                                                        : "BOOKMARK";
    lines += frame(type, shown(event.item));
  }

  std::string shown(const store::Item& item) {
    if (accepted_.form == Accepted::Form::kMetadata)
      return metadata_only(item, accepted_.meta_version);
    if (!table_) return *item.bytes;
    table_->set_now(services_.loop.clock().now());
    if (auto added = table_->add(item); !added) return failure_text(added.error());
    return table_->finish({.version = item.version}, !std::exchange(had_columns_, true));
  }

  Services services_;
  std::shared_ptr<const api::Resource> resource_;
  Accepted accepted_;
  std::optional<TableWriter> table_;
  std::unique_ptr<store::Watch> watch_;
  std::vector<store::Event> events_;
  std::size_t sent_ = 0;  // of events_
  Duration deadline_;
  bool had_columns_ = false;
  bool ended_ = false;
  Limit::Permit permit_;
  Metrics::OpenWatch counted_;
};

// One line that says why there is no watch: clients expect a failed watch as an event, not as a
// failed request.
class OneLine : public http::Stream {
 public:
  explicit OneLine(std::string line) : line_(std::move(line)) {}
  Task<Result<std::string>> next(std::stop_token) override { co_return std::exchange(line_, {}); }

 private:
  std::string line_;
};

http::Response stream_response(std::unique_ptr<http::Stream> stream) {
  http::Response response{.stream = std::move(stream)};
  response.headers.set("Content-Type", "application/json");
  return response;
}

// Up to half as long again, by the nanoseconds of the moment it was opened: watches opened together
// do not end together.
Duration spread_lifetime(Duration opened) {
  constexpr std::int64_t kSteps = 900;
  return kWatchLifetime + std::chrono::seconds(opened.count() % kSteps);
}

// Where a watch begins when it is to leave out what is there now.
Task<Result<store::Version>> current_version(const Services& services, api::Gvr kind,
                                             std::string ns) {
  auto page = co_await services.store.list(kind, {.ns = std::move(ns), .limit = 1});
  if (!page) co_return std::unexpected(page.error());
  co_return page->version;
}

}  // namespace

Task<http::Response> watch_objects(const Services& services, Limit& limit, Call call) {
  auto options = read_options(call);
  if (!options) co_return failure(options.error());
  auto include = include_object(call);
  if (!include) co_return failure(include.error());
  auto permit = limit.try_enter();
  if (!permit)
    co_return failure({.code = ErrorCode::kTooManyRequests,
                       .message = "too many watches, please try again later"});
  bool initial = options->send_initial_events.value_or(options->version.value_or(0) == 0);
  store::WatchOptions query{.ns = options->ns,
                            .labels = options->labels,
                            .fields = options->fields,
                            .from = initial ? 0 : options->version.value_or(0),
                            .bookmarks = options->bookmarks,
                            .mark_initial_end = initial && options->bookmarks &&
                                                options->send_initial_events.value_or(false)};
  if (!initial && query.from == 0) {
    auto version = co_await current_version(services, call.gvr(), options->ns);
    if (!version) co_return failure(version.error());
    query.from = *version;
  }
  auto watch = co_await services.store.watch(call.gvr(), std::move(query));
  if (!watch && watch.error().code == ErrorCode::kExpired)
    co_return stream_response(std::make_unique<OneLine>(
        WatchBody::frame("ERROR", WatchBody::failure_text(watch.error()))));
  if (!watch) co_return failure(watch.error());
  co_return stream_response(std::make_unique<WatchBody>(
      services, call, *include, std::move(*watch),
      options->timeout.value_or(spread_lifetime(services.loop.clock().uptime())),
      std::move(*permit)));
}

}  // namespace slipway::server
