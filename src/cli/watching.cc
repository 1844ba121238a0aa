#include "cli/watching.h"

#include <fmt/format.h>

namespace slipway::cli {

Task<Result<json::Value>> Watching::next(Duration idle) {
  const Clock& clock = loop_.clock();
  while (true) {
    if (!lines_) SLIPWAY_CO_TRY(co_await open());
    const Duration began = clock.uptime();
    const auto line = co_await lines_->next(idle);
    const bool early = clock.uptime() - began < idle;
    if (line && !line->empty()) co_return read(*line);
    // A connection that broke may say kTimeout, too, before the time.
    const bool broke = !line && early && line.error().code == ErrorCode::kTimeout;
    if (!has_broken_off(line) && !broke) co_return std::unexpected(line.error());
    lines_.reset();
    stream_.reset();
  }
}

Task<Result<>> Watching::open() {
  opened_again_ = opened_.has_value();
  if (opened_again_)
    if (const Duration wait = *opened_ + kReopen - loop_.clock().uptime(); wait > Duration::zero())
      co_await sleep_for(loop_, wait);
  opened_ = loop_.clock().uptime();
  store::kube::Call call{
      .target = fmt::format("{}{}watch=true&allowWatchBookmarks=true&resourceVersion={}",
                            source_.list, source_.list.contains('?') ? '&' : '?', source_.version)};
  call.headers.set("Accept", source_.accept);
  auto stream = co_await source_.open(std::move(call));
  if (!stream) co_return std::unexpected(refused(std::move(stream).error()));
  if ((*stream)->status() >= 400)
    co_return std::unexpected(refused(co_await read_refusal(**stream)));
  stream_ = std::move(*stream);
  lines_.emplace(*stream_);
  co_return Result<>();
}

// A server that was started again has forgotten what came before.
Error Watching::refused(Error error) const {
  const bool gone = error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kExpired;
  return opened_again_ && gone ? source_.ended : error;
}

Result<json::Value> Watching::read(const std::string& line) {
  auto event = json::read(line, {.max_bytes = line.size()});
  if (!event) return event;
  if (json::string_at(*event, {"type"}) == "ERROR")
    return std::unexpected(
        refused({.code = ErrorCode::kExpired,
                 .message = std::string(json::string_at(*event, {"object", "message"}))}));
  if (!json::at(*event, {"object"}))
    return fail(ErrorCode::kInvalid, "an event of the watch has no object");
  const auto version = json::string_at(*event, {"object", "metadata", "resourceVersion"});
  if (!version.empty()) source_.version = version;
  return event;
}

}  // namespace slipway::cli
