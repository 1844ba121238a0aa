// New Relic: the Insights query API (Flagger's keys) or NerdGraph (Argo's keys).
#include <fmt/format.h>

#include <charconv>

#include "base/text.h"
#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/newrelic_window.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

class InsightsProvider final : public Provider {
 public:
  InsightsProvider(HttpSource source, Url address, std::string account, std::string key)
      : source_(std::move(source)),
        address_(std::move(address)),
        account_(std::move(account)),
        key_(std::move(key)) {}

  Task<Result<Answer>> query(Query query) override {
    Range window = window_of(query, source_.clock());
    if (!query.range) window.step = Duration::zero();
    auto nrql = with_window(query.text, window, source_.clock().now());
    if (!nrql) co_return fail(std::move(nrql).error());
    auto response =
        co_await ask(std::move(*nrql), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return parse_insights_answer(response->body, window.to);
  }

  Task<Result<>> is_online() override {
    auto response = co_await ask("SELECT * FROM Metric SINCE 60 seconds ago",
                                 Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string nrql, Budget budget) {
    HttpSource::Call call{
        .url = address_.with(fmt::format("/v1/accounts/{}/query?{}", http::percent_encode(account_),
                                         format_form({{"nrql", nrql}})))};
    call.headers.add("X-Query-Key", key_);
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  Url address_;
  std::string account_;
  std::string key_;
};

class NerdGraphProvider final : public Provider {
 public:
  NerdGraphProvider(HttpSource source, std::string url, std::int64_t account, std::string key)
      : source_(std::move(source)), url_(std::move(url)), account_(account), key_(std::move(key)) {}

  Task<Result<Answer>> query(Query query) override {
    auto seconds = std::chrono::ceil<std::chrono::seconds>(query.timeout).count();
    if (query.range) {
      auto nrql = with_window(query.text, *query.range, source_.clock().now());
      if (!nrql) co_return fail(std::move(nrql).error());
      query.text = std::move(*nrql);
    }
    json::Object variables;
    variables["accountId"] = account_;
    variables["query"] = query.text;
    variables["timeout"] = seconds;
    auto response = co_await ask(
        "query($query: Nrql!, $accountId: Int!, $timeout: Seconds!) { actor { account(id: "
        "$accountId) { nrql(query: $query, timeout: $timeout) { results } } } }",
        std::move(variables), Budget(source_.clock(), query.timeout, query.stop));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return parse_nerdgraph_answer(response->body, moment_of(query, source_.clock()));
  }

  Task<Result<>> is_online() override {
    json::Object variables;
    variables["accountId"] = account_;
    auto response =
        co_await ask("query($accountId: Int!) { actor { account(id: $accountId) { name } } }",
                     std::move(variables), Budget(source_.clock(), kOnlineTimeout));
    if (!response) co_return fail(std::move(response).error());
    if (response->status != 200) co_return status_failure(*response);
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string text, json::Object variables, Budget budget) {
    json::Object body;
    body["query"] = text;
    body["variables"] = std::move(variables);
    HttpSource::Call call{
        .method = "POST", .url = url_, .body = json::write(json::Value(std::move(body)))};
    call.headers.add("Api-Key", key_);
    call.headers.add("Content-Type", "application/json");
    co_return co_await source_.send(std::move(call), budget);
  }

  HttpSource source_;
  std::string url_;
  std::int64_t account_;
  std::string key_;
};

Result<std::unique_ptr<Provider>> make_insights(const ProviderSpec& spec, HttpSource source) {
  auto address = need_address(spec, "https://insights-api.newrelic.com");
  if (!address) return fail(std::move(address).error());
  auto account = need_credential(spec, {"newrelic_account_id"}, "newrelic_account_id");
  if (!account) return fail(std::move(account).error());
  auto key = need_credential(spec, {"newrelic_query_key"}, "newrelic_query_key");
  if (!key) return fail(std::move(key).error());
  return std::make_unique<InsightsProvider>(std::move(source), std::move(*address),
                                            std::move(*account), std::move(*key));
}

Result<std::unique_ptr<Provider>> make_nerdgraph(const ProviderSpec& spec, HttpSource source) {
  std::string region = text::lower(credential(spec, {"region"}));
  if (!region.empty() && region != "us" && region != "eu") {
    return fail(ErrorCode::kInvalid,
                fmt::format("newrelic region \"{}\" is not us or eu", excerpt(region)));
  }
  std::string url = credential(spec, {"base-url-nerdgraph"});
  if (url.empty()) url = spec.address;
  if (url.empty()) {
    url =
        region == "eu" ? "https://api.eu.newrelic.com/graphql" : "https://api.newrelic.com/graphql";
  }
  if (auto parsed = parse_url(url); !parsed) {
    return fail(ErrorCode::kInvalid, "newrelic base-url-nerdgraph " + parsed.error().message);
  }
  std::string account = credential(spec, {"account-id"});
  if (account.empty()) {
    return fail(ErrorCode::kInvalid, "account ID or personal API key not found");
  }
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(account.data(), account.data() + account.size(), number);
  if (error != std::errc() || end != account.data() + account.size()) {
    return fail(ErrorCode::kInvalid,
                fmt::format("could not parse account ID: \"{}\" is no number", excerpt(account)));
  }
  return std::make_unique<NerdGraphProvider>(std::move(source), std::move(url), number,
                                             credential(spec, {"personal-api-key"}));
}

}  // namespace

Result<std::unique_ptr<Provider>> make_newrelic(const ProviderSpec& spec,
                                                Connections& connections) {
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  if (!credential(spec, {"personal-api-key"}).empty()) {
    return make_nerdgraph(spec, std::move(*source));
  }
  return make_insights(spec, std::move(*source));
}

}  // namespace slipway::metrics
