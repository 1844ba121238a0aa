// Splunk Observability: SignalFlow over HTTP, answered as server-sent events.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

void replace_first(std::string& text, std::string_view from, std::string_view to) {
  if (std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

// One address is given, for either host: api.REALM and stream.REALM, http or websocket.
std::string stream_address(std::string address) {
  if (address.starts_with("ws")) replace_first(address, "ws", "http");
  if (address.find("stream") == std::string::npos) replace_first(address, "api", "stream");
  return address;
}
std::string api_address(std::string address) {
  if (address.starts_with("ws")) replace_first(address, "ws", "http");
  replace_first(address, "stream", "api");
  return address;
}

class SplunkProvider final : public Provider {
 public:
  SplunkProvider(HttpSource source, Url stream, Url api, std::string token)
      : source_(std::move(source)),
        stream_(std::move(stream)),
        api_(std::move(api)),
        token_(std::move(token)) {}

  Task<Result<Answer>> query(Query query) override {
    Range window = window_of(query, source_.clock());
    Labels form = {{"immediate", "true"},
                   {"start", std::to_string(unix_millis(window.from))},
                   {"stop", std::to_string(unix_millis(window.to))}};
    HttpSource::Call call{.method = "POST",
                          .url = stream_.with("/v2/signalflow/execute?" + format_form(form)),
                          .body = query.text};
    call.headers.add("Accept", "text/event-stream");
    call.headers.add("Content-Type", "text/plain");
    call.headers.add("X-SF-Token", token_);
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return parse_splunk_answer(response->body);
  }

  Task<Result<>> is_online() override {
    HttpSource::Call call{.url = api_.with("/v2/metric?limit=1")};
    call.headers.add("X-SF-Token", token_);
    auto response = co_await source_.send(std::move(call), Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  HttpSource source_;
  Url stream_;
  Url api_;
  std::string token_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_splunk(const ProviderSpec& spec, Connections& connections) {
  if (spec.address.empty()) return fail(ErrorCode::kInvalid, "splunk endpoint is not set");
  ProviderSpec stream_spec = spec;
  stream_spec.address = stream_address(spec.address);
  ProviderSpec api_spec = spec;
  api_spec.address = api_address(spec.address);
  auto stream = need_address(stream_spec);
  if (!stream) return fail(std::move(stream).error());
  auto api = need_address(api_spec);
  if (!api) return fail(std::move(api).error());
  auto token = need_credential(spec, {"sf_token_key"}, "sf_token_key");
  if (!token) return fail(std::move(token).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<SplunkProvider>(std::move(*source), std::move(*stream), std::move(*api),
                                          std::move(*token));
}

}  // namespace slipway::metrics
