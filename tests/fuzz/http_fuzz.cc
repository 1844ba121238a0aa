// Bytes as a client sends them: the request must come out the same however the bytes are cut,
// within the limits, and what came out must stand a second look.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/gzip.h"
#include "http/request_reader.h"

namespace {

using slipway::http::RequestReader;
using State = RequestReader::State;

constexpr RequestReader::Limits kLimits{.head = 512, .body = 256};

void feed(RequestReader& reader, std::string_view bytes, std::size_t step) {
  std::string waiting;
  while (reader.state() == State::kHead || reader.state() == State::kBody) {
    std::size_t taken = reader.feed(waiting);
    SLIPWAY_ASSERT(taken <= waiting.size());
    waiting.erase(0, taken);
    if (taken > 0) continue;
    if (bytes.empty()) break;
    waiting.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
}

void check(RequestReader& reader) {
  if (reader.state() == State::kFailed) {
    SLIPWAY_ASSERT(reader.failure().status >= 400 && !reader.failure().message.empty());
    return;
  }
  const auto& request = reader.request();
  SLIPWAY_ASSERT(request.body.size() <= kLimits.body);
  if (reader.state() == State::kHead) return;
  SLIPWAY_ASSERT(request.target.path.starts_with('/'));
  reader.keep_alive();
  slipway::http::accepts_gzip(request.headers.get("Accept-Encoding"));
}

void check_target(std::string_view raw) {
  auto target = slipway::http::parse_target(raw);
  if (!target) return;
  auto again = slipway::http::parse_target("/?x&" + slipway::http::format_query(target->query));
  if (target->query.size() >= slipway::http::kMaxQueryParameters) return;
  SLIPWAY_ASSERT(again);
  again->query.erase(again->query.begin());
  SLIPWAY_ASSERT(again->query == target->query);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::size_t step = static_cast<std::size_t>(data[0] % 16) + 1;
  bytes.remove_prefix(1);

  RequestReader whole(kLimits);
  feed(whole, bytes, bytes.size() + 1);
  check(whole);
  RequestReader cut(kLimits);
  feed(cut, bytes, step);
  check(cut);
  SLIPWAY_ASSERT((whole.state() == State::kDone) == (cut.state() == State::kDone));
  if (whole.state() == State::kDone) {
    SLIPWAY_ASSERT(whole.request().body == cut.request().body);
    SLIPWAY_ASSERT(whole.request().headers.all() == cut.request().headers.all());
  }
  check_target(bytes);
  return 0;
}
