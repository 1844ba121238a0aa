// Datadog: timeseries queries (v1) and scalar queries with formulas (v2).
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

std::unexpected<Error> datadog_failure(const http::Response& response) {
  bool refused = response.status == 401 || response.status == 403;
  return status_failure(response, fmt::format("received {} response code: {} {}",
                                              refused ? "authentication error" : "non 2xx",
                                              response.status, excerpt(response.body)));
}

class DatadogProvider final : public Provider {
 public:
  struct Keys {
    std::string api;
    std::string application;
  };
  DatadogProvider(HttpSource source, Url address, Keys keys, ProviderSpec spec)
      : source_(std::move(source)),
        address_(std::move(address)),
        keys_(std::move(keys)),
        spec_(std::move(spec)) {}

  Task<Result<Answer>> query(Query query) override {
    Range window = window_of(query, source_.clock());
    bool v2 = spec_.api_version == "v2";
    HttpSource::Call call = v2 ? scalar_call(query.text, window) : series_call(query.text, window);
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return datadog_failure(*response);
    co_return v2 ? parse_datadog_v2_answer(response->body, window.to)
                 : parse_datadog_v1_answer(response->body);
  }

  Task<Result<>> is_online() override {
    auto response = co_await source_.send(with_keys({.url = address_.with("/api/v1/validate")}),
                                          Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return datadog_failure(*response);
    co_return Result<>();
  }

 private:
  HttpSource::Call with_keys(HttpSource::Call call) const {
    call.headers.add("DD-API-KEY", keys_.api);
    call.headers.add("DD-APPLICATION-KEY", keys_.application);
    return call;
  }

  HttpSource::Call series_call(const std::string& text, const Range& window) const {
    std::string form = format_form({{"from", std::to_string(unix_seconds(window.from))},
                                    {"query", text},
                                    {"to", std::to_string(unix_seconds(window.to))}});
    return with_keys({.url = address_.with("/api/v1/query?" + form)});
  }

  HttpSource::Call scalar_call(const std::string& text, const Range& window) const {
    json::Array queries;
    auto add = [&](const std::string& name, const std::string& query) {
      queries.push_back({{"aggregator", spec_.aggregator.empty() ? "last" : spec_.aggregator},
                         {"data_source", "metrics"},
                         {"name", name},
                         {"query", query}});
    };
    if (!text.empty()) add("query", text);
    for (const auto& [name, query] : spec_.queries) add(name, query);
    json::Array formulas;
    if (!spec_.formula.empty()) formulas.push_back({{"formula", spec_.formula}});
    json::Object attributes;
    attributes["from"] = unix_seconds(window.from) * 1000;
    attributes["to"] = unix_seconds(window.to) * 1000;
    attributes["queries"] = std::move(queries);
    attributes["formulas"] = std::move(formulas);
    json::Object data;
    data["attributes"] = std::move(attributes);
    data["type"] = "scalar_request";
    json::Object body;
    body["data"] = std::move(data);
    HttpSource::Call call{.method = "POST",
                          .url = address_.with("/api/v2/query/scalar"),
                          .body = json::write(json::Value(std::move(body)))};
    call.headers.add("Content-Type", "application/json");
    return with_keys(std::move(call));
  }

  HttpSource source_;
  Url address_;
  Keys keys_;
  ProviderSpec spec_;
};

Result<> check(const ProviderSpec& spec) {
  bool v1 = spec.api_version.empty() || spec.api_version == "v1";
  if (!v1 && spec.api_version != "v2") {
    return fail(ErrorCode::kInvalid,
                fmt::format("datadog apiVersion \"{}\" is not v1 or v2", spec.api_version));
  }
  if (v1 && !spec.queries.empty()) {
    return fail(ErrorCode::kInvalid,
                "Query is empty. API Version v1 only supports using the query parameter in your "
                "Analysis Template.");
  }
  if (!spec.formula.empty() && spec.queries.empty()) {
    return fail(
        ErrorCode::kInvalid,
        "Formula are only valid when queries are set. Please review the Analysis Template.");
  }
  if (spec.formula.empty() && spec.queries.size() > 1) {
    return fail(ErrorCode::kInvalid,
                "When multiple queries are provided you must include a formula.");
  }
  if (v1 && !spec.aggregator.empty()) {
    return fail(ErrorCode::kInvalid,
                "Aggregator is not supported in v1. Please review the Analysis Template.");
  }
  return {};
}

// Without a Secret, the environment may hold what one needs; all of it or nothing.
void fill_from_environment(ProviderSpec& spec, const Connections& connections) {
  std::string api = connections.environment("DD_API_KEY");
  std::string application = connections.environment("DD_APP_KEY");
  std::string address = connections.environment("DD_ADDRESS");
  if (spec.credentials || api.empty() || application.empty() || address.empty()) return;
  spec.credentials = Credentials{{"api-key", api}, {"app-key", application}, {"address", address}};
}

}  // namespace

Result<std::unique_ptr<Provider>> make_datadog(const ProviderSpec& spec, Connections& connections) {
  SLIPWAY_TRY(check(spec));
  ProviderSpec filled = spec;
  fill_from_environment(filled, connections);
  if (filled.address.empty()) filled.address = credential(filled, {"address"});
  auto address = need_address(filled, "https://api.datadoghq.com");
  if (!address) return fail(std::move(address).error());
  auto api = need_credential(filled, {"datadog_api_key", "api-key"}, "datadog_api_key");
  if (!api) return fail(std::move(api).error());
  auto application =
      need_credential(filled, {"datadog_application_key", "app-key"}, "datadog_application_key");
  if (!application) return fail(std::move(application).error());
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<DatadogProvider>(std::move(*source), std::move(*address),
                                           DatadogProvider::Keys{*api, *application}, filled);
}

}  // namespace slipway::metrics
