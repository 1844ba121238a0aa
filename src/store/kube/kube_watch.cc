#include "store/kube/kube_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/kube/retry.h"
#include "store/kube/target.h"

namespace slipway::store::kube {

namespace {

constexpr std::size_t kMaxRefusal = 64 * 1024;  // read of the body of a refused watch

bool may_mend(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kTimeout ||
         code == ErrorCode::kTooManyRequests || code == ErrorCode::kInternal;
}

// A stop that comes with the caller's, or after a while.
class StopAfter {
 public:
  StopAfter(Loop& loop, Duration after, std::stop_token stop)
      : timer_(loop.clock().call_after(after, [this] { source_.request_stop(); })),
        linked_(std::move(stop), [this] { source_.request_stop(); }) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::unique_ptr<Clock::Timer> timer_;
  std::stop_callback<std::function<void()>> linked_;
};

Task<Error> refusal_of(http::ResponseStream& stream, std::stop_token stop) {
  http::Response response{.status = stream.status()};
  while (response.body.size() < kMaxRefusal) {
    Result<std::string> piece = co_await stream.next(kConnectTimeout, stop);
    if (!piece || piece->empty()) break;
    response.body += *piece;
  }
  co_return error_of(response);
}

Error no_answer() {
  return {.code = ErrorCode::kUnavailable, .message = "the API server does not answer"};
}

std::unexpected<Error> stopped() { return fail(ErrorCode::kCancelled, "the watch was stopped"); }

}  // namespace

KubeWatch::KubeWatch(Loop& loop, Connection& connection, Random& random,
                     std::shared_ptr<const api::Resource> resource, WatchOptions options)
    : loop_(loop),
      connection_(connection),
      random_(random),
      resource_(std::move(resource)),
      options_(std::move(options)),
      version_(options_.from),
      lines_(kMaxEventBytes) {
  if (version_ == 0) {
    listing_ = ListOptions{.ns = options_.ns,
                           .labels = options_.labels,
                           .fields = options_.fields,
                           .limit = kInitialPage};
  }
}

Task<Result<>> KubeWatch::start() {
  if (listing_) co_return co_await list_page({});
  co_return co_await open({});
}

Task<Result<std::vector<Event>>> KubeWatch::next(Duration patience, std::stop_token stop) {
  const Duration deadline = loop_.clock().uptime() + patience;
  while (true) {
    if (stop.stop_requested()) co_return stopped();
    Result<std::vector<Event>> events = take();
    if (!events || !events->empty()) co_return events;
    const Duration left = deadline - loop_.clock().uptime();
    if (left <= Duration::zero()) {
      if (failure_ && !settled()) co_return fail(*failure_);
      co_return fail(ErrorCode::kTimeout, "nothing happened");
    }
    Result<> went_on = listing_  ? co_await go_on_listing(left, stop)
                       : stream_ ? co_await receive(left, stop)
                                 : co_await connect(left, stop);
    if (!went_on) co_return std::unexpected(std::move(went_on).error());
  }
}

Result<std::vector<Event>> KubeWatch::take() {
  std::vector<Event> events = std::exchange(pending_, {});
  while (events.size() < kMaxEventsAtOnce) {
    Result<std::optional<std::string_view>> line = lines_.next();
    if (line && !*line) break;
    Result<> taken = line ? take_line(**line, events) : std::unexpected(line.error());
    if (taken) continue;
    // What came before the failure was good, and counts as taken: it is given first, and the server
    // asked again from there.
    Result<> dropped = drop(std::move(taken).error());
    if (!dropped && events.empty()) return std::unexpected(std::move(dropped).error());
    break;
  }
  return events;
}

Result<> KubeWatch::take_line(std::string_view line, std::vector<Event>& events) {
  Result<Event> event = parse_event(line, *resource_);
  if (!event) return std::unexpected(std::move(event).error());
  version_ = std::max(version_, event->item.version);
  brought_any_ = true;
  failures_ = 0;
  failure_.reset();
  if (event->type != EventType::kBookmark || options_.bookmarks) {
    events.push_back(std::move(*event));
  }
  return {};
}

Task<Result<>> KubeWatch::go_on_listing(Duration left, std::stop_token stop) {
  StopAfter patience(loop_, std::max(left, kMinConnect), stop);
  Result<> listed = co_await list_page(patience.token());
  if (listed || !patience.token().stop_requested()) co_return listed;
  if (!stop.stop_requested()) failure_ = no_answer();
  co_return Result<>();
}

Task<Result<>> KubeWatch::list_page(std::stop_token stop) {
  Call call{.target = with_query(collection_path(*resource_, options_.ns), list_query(*listing_))};
  Result<http::Response> response = co_await connection_.send(std::move(call), stop);
  if (!response) co_return std::unexpected(std::move(response).error());
  if (response->status >= 400) co_return fail(error_of(*response));
  Result<Page> page = parse_page(response->body, *resource_);
  if (!page) co_return std::unexpected(std::move(page).error());
  for (Item& item : page->items) pending_.push_back({EventType::kAdded, std::move(item)});
  version_ = page->version;
  failure_.reset();
  if (page->continue_token.empty()) {
    listing_.reset();
    if (options_.mark_initial_end) pending_.push_back(initial_end());
  } else {
    listing_->continue_token = std::move(page->continue_token);
  }
  co_return Result<>();
}

Event KubeWatch::initial_end() const {
  json::Object metadata{{"resourceVersion", fmt::format_int(version_).str()},
                        {"creationTimestamp", nullptr},
                        {"annotations", json::Object{{"k8s.io/initial-events-end", "true"}}}};
  Item item = item_of({{"metadata", std::move(metadata)}}, *resource_);
  return {EventType::kBookmark, std::move(item)};
}

Task<Result<>> KubeWatch::connect(Duration left, std::stop_token stop) {
  const Duration wait = retry_at_ - loop_.clock().uptime();
  if (failures_ > 0 && wait > Duration::zero()) {
    co_await sleep_for(loop_, std::min(wait, left), stop);
    if (wait >= left || stop.stop_requested()) co_return Result<>();
  }
  StopAfter patience(loop_, std::max(left, kMinConnect), stop);
  Result<> opened = co_await open(patience.token());
  if (opened) co_return Result<>();
  if (!patience.token().stop_requested()) co_return drop(std::move(opened).error());
  if (!stop.stop_requested()) failure_ = no_answer();
  co_return Result<>();
}

Task<Result<>> KubeWatch::open(std::stop_token stop) {
  Call call{.target = with_query(collection_path(*resource_, options_.ns),
                                 watch_query(options_, version_, kWatchSeconds)),
            .timeout = kConnectTimeout};
  Result<std::unique_ptr<http::ResponseStream>> stream =
      co_await connection_.open(std::move(call), stop);
  if (!stream) co_return std::unexpected(std::move(stream).error());
  if ((*stream)->status() != 200) co_return fail(co_await refusal_of(**stream, stop));
  stream_ = std::move(*stream);
  opened_ = last_byte_ = loop_.clock().uptime();
  brought_any_ = false;
  co_return Result<>();
}

Task<Result<>> KubeWatch::receive(Duration left, std::stop_token stop) {
  const Duration silence = loop_.clock().uptime() - last_byte_;
  if (silence >= kMaxSilence) co_return drop(std::nullopt);
  Result<std::string> piece = co_await stream_->next(std::min(left, kMaxSilence - silence), stop);
  if (piece && !piece->empty()) {
    last_byte_ = loop_.clock().uptime();
    lines_.add(*piece);
    co_return Result<>();
  }
  if (piece) {
    if (settled()) co_return drop(std::nullopt);
    co_return drop(
        Error{.code = ErrorCode::kUnavailable, .message = "the API server ends the watch at once"});
  }
  const ErrorCode code = piece.error().code;
  if (code == ErrorCode::kTimeout || stop.stop_requested()) co_return Result<>();
  co_return drop(std::move(piece).error());
}

bool KubeWatch::settled() const {
  return stream_ && (brought_any_ || loop_.clock().uptime() - opened_ >= kShortLife);
}

Result<> KubeWatch::drop(std::optional<Error> why) {
  stream_.reset();
  lines_.clear();
  if (!why) {
    failures_ = 0;
    failure_.reset();
    return {};
  }
  ++failures_;
  retry_at_ = loop_.clock().uptime() + backoff(failures_, random_.unit());
  failure_ = *why;
  if (may_mend(why->code)) return {};
  return fail(std::move(*why));
}

}  // namespace slipway::store::kube
