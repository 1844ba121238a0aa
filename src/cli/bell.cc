#include "cli/bell.h"

#include <fmt/format.h>

#include "cli/lines.h"

namespace slipway::cli {

namespace {

constexpr Duration kSilence = std::chrono::hours(24);  // servers end watches themselves
constexpr std::string_view kMetadata =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
constexpr std::string_view kMetadataList =
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

std::string with(const std::string& list, std::string_view parameters) {
  return fmt::format("{}{}{}", list, list.contains('?') ? '&' : '?', parameters);
}

store::kube::Call call_for(std::string target, std::string_view accept) {
  store::kube::Call call{.target = std::move(target)};
  call.headers.set("Accept", std::string(accept));
  return call;
}

}  // namespace

Bell::Bell(Loop& loop, store::kube::Connection& connection, std::vector<std::string> lists)
    : loop_(loop), connection_(connection), lists_(std::move(lists)), signal_(loop), gate_(loop) {}

void Bell::ring() {
  rung_ = true;
  signal_.notify_all();
}

Task<bool> Bell::wait(Duration patience) {
  if (!std::exchange(listens_, true))
    for (const std::string& list : lists_) gate_.spawn(listen(list));
  if (!rung_) co_await signal_.wait(patience, gate_.stop());
  co_return std::exchange(rung_, false);
}

Task<> Bell::stop() {
  gate_.request_stop();
  co_await gate_.close();
}

Task<> Bell::listen(std::string list) {
  const std::stop_token stop = gate_.stop();
  while (!stop.stop_requested()) {
    co_await pass_on(list);
    co_await sleep_for(loop_, kReopen, stop);
  }
}

// A watch without a version would begin with everything there is: the version of a list of one
// object is enough.
Task<> Bell::pass_on(std::string list) {
  const std::stop_token stop = gate_.stop();
  const auto page = co_await connection_.send(call_for(with(list, "limit=1"), kMetadataList), stop);
  if (!page || page->status >= 400) co_return;
  const auto newest = json::read(page->body, {.max_bytes = page->body.size()});
  if (!newest) co_return;
  const auto version = json::string_at(*newest, {"metadata", "resourceVersion"});
  auto stream = co_await connection_.open(
      call_for(with(list, fmt::format("watch=true&resourceVersion={}", version)), kMetadata), stop);
  if (!stream || (*stream)->status() >= 400) co_return;
  ++heard_;
  ring();
  Lines lines(**stream);
  while (true) {
    const auto line = co_await lines.next(kSilence, stop);
    if (!line || line->empty()) break;
    const auto event = json::read(*line, {.max_bytes = line->size()});
    if (!event || json::string_at(*event, {"type"}) == "ERROR") break;
    if (json::string_at(*event, {"type"}) != "BOOKMARK") ring();
  }
  --heard_;
}

}  // namespace slipway::cli
