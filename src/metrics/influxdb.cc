// InfluxDB 2: Flux queries, answered in annotated CSV.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

std::string request_body(const std::string& flux) {
  json::Object dialect;
  dialect["annotations"] = json::Array{"datatype", "group", "default"};
  dialect["delimiter"] = ",";
  dialect["header"] = true;
  json::Object body;
  body["dialect"] = std::move(dialect);
  body["query"] = flux;
  body["type"] = "flux";
  return json::write(json::Value(std::move(body)));
}

// {"code":"unauthorized","message":"…"}
std::unexpected<Error> influxdb_failure(const http::Response& response) {
  std::string why = excerpt(response.body);
  if (auto body = json::read(response.body)) {
    std::string_view code = json::string_at(*body, {"code"});
    std::string_view message = json::string_at(*body, {"message"});
    if (!message.empty()) why = fmt::format("{}: {}", excerpt(code), excerpt(message));
  }
  return status_failure(response, fmt::format("error accessing influxdb query api: status {}: {}",
                                              response.status, why));
}

class InfluxdbProvider final : public Provider {
 public:
  InfluxdbProvider(HttpSource source, Url address, std::string org, std::string token)
      : source_(std::move(source)),
        address_(std::move(address)),
        org_(std::move(org)),
        token_(std::move(token)) {}

  Task<Result<Answer>> query(Query query) override {
    HttpSource::Call call{.method = "POST",
                          .url = address_.with("/api/v2/query?org=" + form_escape(org_)),
                          .body = request_body(query.text)};
    if (!token_.empty()) call.headers.add("Authorization", "Token " + token_);
    call.headers.add("Content-Type", "application/json");
    call.headers.add("Accept", "application/csv");
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status < 200 || response->status > 299) co_return influxdb_failure(*response);
    co_return parse_influxdb_answer(response->body);
  }

  Task<Result<>> is_online() override {
    auto answer = co_await query(
        {.text = "from(bucket: \"default\") |> range(start: -2h)", .timeout = kOnlineTimeout});
    // A server without that bucket says so, which only one that is there can.
    if (!answer && answer.error().code != ErrorCode::kNotFound) {
      co_return fail(std::move(answer).error());
    }
    co_return Result<>();
  }

 private:
  HttpSource source_;
  Url address_;
  std::string org_;
  std::string token_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_influxdb(const ProviderSpec& spec,
                                                Connections& connections) {
  ProviderSpec filled = spec;
  if (filled.address.empty()) filled.address = credential(spec, {"address"});
  auto address = need_address(filled);
  if (!address) return fail(std::move(address).error());
  std::string token;
  std::string org;
  if (spec.credentials) {
    auto given = need_credential(spec, {"token", "authToken"}, "an authentication token");
    if (!given) return fail(std::move(given).error());
    token = std::move(*given);
    auto organisation = need_credential(spec, {"org"}, "an organisation");
    if (!organisation) return fail(std::move(organisation).error());
    org = std::move(*organisation);
  }
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<InfluxdbProvider>(std::move(*source), std::move(*address), std::move(org),
                                            std::move(token));
}

}  // namespace slipway::metrics
