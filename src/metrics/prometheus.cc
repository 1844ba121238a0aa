// Prometheus and everything that speaks its HTTP API.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

// Proxies that let reads pass only, and servers from before POST.
bool wants_get(int status) { return status == 403 || status == 405 || status == 501; }

// Statuses whose body is the API's own envelope, which says more.
bool has_envelope(int status) {
  return (status >= 200 && status <= 299) || status == 400 || status == 422 || status == 503;
}

// The API takes no step of zero.
Duration step_of(const Range& range) {
  return range.step > Duration::zero() ? range.step : Duration(std::chrono::minutes(1));
}

class PrometheusProvider final : public Provider {
 public:
  PrometheusProvider(HttpSource source, Url address, std::string authorization)
      : source_(std::move(source)),
        address_(std::move(address)),
        authorization_(std::move(authorization)) {}

  Task<Result<Answer>> query(Query query) override {
    Labels form;
    std::string path = "/api/v1/query";
    if (query.range) {
      path = "/api/v1/query_range";
      form.emplace_back("end", seconds_text(query.range->to));
    }
    form.emplace_back("query", query.text);
    if (query.range) {
      form.emplace_back("start", seconds_text(query.range->from));
      form.emplace_back("step", seconds_text(step_of(*query.range)));
    } else if (query.at != Time()) {
      form.emplace_back("time", seconds_text(query.at));
    }
    Budget budget(source_.clock(), query.timeout, query.stop);
    auto response = co_await ask(path, format_form(form), budget);
    if (!response) co_return fail(std::move(response).error());
    if (!has_envelope(response->status)) co_return status_failure(*response);
    auto answer = parse_prometheus_answer(response->body);
    bool refused = response->status < 200 || response->status > 299;
    if (!answer && !refused) co_return answer;
    if (!answer && answer.error().message.starts_with("error unmarshaling")) {
      co_return status_failure(*response);
    }
    if (answer && refused) co_return status_failure(*response);
    co_return answer;
  }

  Task<Result<>> is_online() override {
    auto answer = co_await query({.text = "vector(1)", .timeout = kOnlineTimeout});
    if (!answer) {
      co_return fail(answer.error().code, "running query failed: " + answer.error().message);
    }
    bool one = answer->series.size() == 1 && answer->series[0].points.size() == 1 &&
               answer->series[0].points[0].value == 1;
    if (!one) co_return fail(ErrorCode::kUnavailable, "vector(1) is not 1 there");
    co_return Result<>();
  }

 private:
  Task<Result<http::Response>> ask(std::string path, std::string form, Budget budget) {
    HttpSource::Call call{.method = "POST", .url = address_.with(path), .body = form};
    call.headers.add("Content-Type", "application/x-www-form-urlencoded");
    auto response = co_await source_.send(signed_in(std::move(call)), budget);
    if (!response || !wants_get(response->status)) co_return response;
    HttpSource::Call again{.url = address_.with(path + "?" + form)};
    co_return co_await source_.send(signed_in(std::move(again)), budget);
  }

  HttpSource::Call signed_in(HttpSource::Call call) const {
    if (!authorization_.empty()) call.headers.add("Authorization", authorization_);
    return call;
  }

  HttpSource source_;
  Url address_;
  std::string authorization_;
};

Result<std::string> authorization_of(const ProviderSpec& spec, const Url& address) {
  if (std::string token = credential(spec, {"token"}); !token.empty()) return "Bearer " + token;
  bool only_tls = spec.credentials && !spec.credentials->empty();
  for (const auto& [key, value] : spec.credentials.value_or(Credentials())) {
    only_tls = only_tls && (key == "ca.crt" || key == "tls.crt" || key == "tls.key");
  }
  if (spec.credentials && !only_tls && !spec.sigv4) {
    auto user = need_credential(spec, {"username"}, "a username");
    if (!user) return user;
    auto password = need_credential(spec, {"password"}, "a password");
    if (!password) return password;
    return basic_authorization(*user, *password);
  }
  if (!address.user.empty() && !spec.basic) {
    return basic_authorization(address.user, address.password);
  }
  return std::string();
}

}  // namespace

Result<std::unique_ptr<Provider>> make_prometheus(const ProviderSpec& spec,
                                                  Connections& connections) {
  ProviderSpec filled = spec;
  if (filled.address.empty()) {
    filled.address = connections.environment("ARGO_ROLLOUTS_PROMETHEUS_ADDRESS");
  }
  if (filled.address.empty()) {
    return fail(ErrorCode::kInvalid, "prometheus address is not configured");
  }
  // As upstream: only what is hosted at AWS is signed, whatever the manifest says of others.
  if (!filled.address.contains("aps-workspaces")) filled.sigv4.reset();
  auto address = need_address(filled);
  if (!address) return fail(std::move(address).error());
  auto authorization = authorization_of(filled, *address);
  if (!authorization) return fail(std::move(authorization).error());
  auto source = HttpSource::make(filled, connections);
  if (!source) return fail(std::move(source).error());
  return std::make_unique<PrometheusProvider>(std::move(*source), std::move(*address),
                                              std::move(*authorization));
}

}  // namespace slipway::metrics
