#include "analysis/kayenta_remote.h"

#include <fmt/format.h>

#include <charconv>

#include "analysis/compare/samples.h"
#include "analysis/phase.h"
#include "analysis/run_rules.h"
#include "http/message.h"
#include "metrics/http_source.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;
using api::argo::KayentaMetric;
using api::argo::Measurement;

constexpr const char* kExecution = "canaryExecutionId";
constexpr const char* kLostPolls = "lostPolls";

std::string address_of(const KayentaMetric& metric) {
  std::string address = metric.address;
  while (address.ends_with('/')) address.pop_back();
  return address;
}

// As released: the account that holds configurations is named by storageAccountName.
std::string config_url(const KayentaMetric& metric) {
  const std::string& account = metric.storage_account_name.empty()
                                   ? metric.configuration_account_name
                                   : metric.storage_account_name;
  return fmt::format("{}/canaryConfig?{}", address_of(metric),
                     http::format_query({{"application", metric.application},
                                         {"configurationAccountName", account}}));
}

std::string start_url(const KayentaMetric& metric, const std::string& config) {
  return fmt::format(
      "{}/canary/{}?{}", address_of(metric), http::percent_encode(config),
      http::format_query({{"application", metric.application},
                          {"metricsAccountName", metric.metrics_account_name},
                          {"configurationAccountName", metric.configuration_account_name},
                          {"storageAccountName", metric.storage_account_name}}));
}

std::string execution_of(const Measurement& measurement) {
  const auto found = measurement.metadata.find(kExecution);
  return found == measurement.metadata.end() ? std::string() : found->second;
}

int lost_polls(const Measurement& measurement) {
  const auto found = measurement.metadata.find(kLostPolls);
  int lost = 0;
  if (found != measurement.metadata.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), lost);
  return lost;
}

struct Window {
  std::string start, end;
};
json::Object scope_json(const api::argo::ScopeDetail& scope, const Window& window) {
  return {{"scope", scope.scope},
          {"location", scope.region},
          {"step", scope.step},
          {"start", scope.start.empty() ? window.start : scope.start},
          {"end", scope.end.empty() ? window.end : scope.end}};
}

std::string phase_of(std::int64_t score, const api::argo::KayentaThreshold& threshold) {
  return std::string(score >= threshold.pass       ? kSuccessful
                     : score >= threshold.marginal ? kInconclusive
                                                   : kFailed);
}

}  // namespace

Result<json::Object> execution_request(const AnalysisRun& run, std::size_t index, Time now) {
  const auto& metric = run.spec.metrics[index];
  const KayentaMetric& kayenta = *metric.provider.kayenta;
  Window window{.start = {}, .end = format_time(now)};
  json::Object scopes;
  for (const auto& scope : kayenta.scopes) {
    const auto& control = scope.control_scope;
    const auto& experiment = scope.experiment_scope;
    for (const auto& [name, one, other] : {std::tuple("start", &control.start, &experiment.start),
                                           std::tuple("end", &control.end, &experiment.end)})
      if (one->empty() != other->empty())
        return fail(ErrorCode::kInvalid,
                    fmt::format("controlScope.{0} and experimentScope.{0} must both be set or be "
                                "empty",
                                name));
    if (control.start.empty()) {
      const Duration interval = interval_of(metric);
      if (!kayenta.lookback && interval <= Duration{})
        return fail(ErrorCode::kInvalid,
                    fmt::format("invalid duration \"{}\": the interval is the window to judge; "
                                "write 5m, or lookback: true",
                                metric.interval.text));
      const Time began = run.status && run.status->started_at ? *run.status->started_at : now;
      window.start = format_time(kayenta.lookback ? began : now - interval);
    }
    scopes[scope.name] = json::Object{{"controlScope", scope_json(control, window)},
                                      {"experimentScope", scope_json(experiment, window)}};
  }
  return json::Object{{"scopes", std::move(scopes)},
                      {"thresholds", json::Object{{"pass", kayenta.threshold.pass},
                                                  {"marginal", kayenta.threshold.marginal}}}};
}

KayentaRemote::KayentaRemote(metrics::Connections& connections) : connections_(connections) {}

Time KayentaRemote::now() const {
  return std::chrono::floor<std::chrono::seconds>(connections_.clock().now());
}

Measurement KayentaRemote::failed(Measurement measurement, const Error& error) const {
  measurement.metadata.erase(kLostPolls);
  return failed_with(error, std::move(measurement), now());
}

slipway::Task<Result<json::Value>> KayentaRemote::ask(Call call, std::stop_token stop) {
  const metrics::ProviderSpec spec{.type = "kayenta", .address = call.url};
  const auto source = metrics::HttpSource::make(spec, connections_);
  if (!source) co_return std::unexpected(source.error());
  metrics::HttpSource::Call sent{.method = call.method, .url = call.url, .body = call.body};
  if (!call.body.empty()) sent.headers.set("Content-Type", "application/json");
  auto response = co_await source->send(
      std::move(sent), metrics::Budget(connections_.clock(), kTimeout, std::move(stop)));
  if (!response) co_return std::unexpected(std::move(response).error());
  if (response->status != 200) co_return metrics::status_failure(*response);
  co_return metrics::read_answer(response->body);
}

slipway::Task<Result<std::string>> KayentaRemote::find_config(KayentaMetric metric,
                                                              std::stop_token stop) {
  auto list = co_await ask({.url = config_url(metric)}, std::move(stop));
  if (!list) co_return std::unexpected(std::move(list).error());
  if (list->is_array())
    for (const json::Value& one : list->get_array())
      if (json::string_at(one, {"name"}) == metric.canary_config_name)
        co_return std::string(json::string_at(one, {"id"}));
  co_return fail(ErrorCode::kNotFound,
                 fmt::format("Canary config not found: \"{}\"", metric.canary_config_name));
}

slipway::Task<Measurement> KayentaRemote::start(AnalysisRun run, std::size_t index,
                                                std::stop_token stop) {
  Measurement measurement{.phase = std::string(kRunning), .started_at = now()};
  const KayentaMetric& metric = *run.spec.metrics[index].provider.kayenta;
  const auto request = execution_request(run, index, *measurement.started_at);
  if (!request) co_return failed(std::move(measurement), request.error());
  const auto config = co_await find_config(metric, stop);
  if (!config) co_return failed(std::move(measurement), config.error());
  Call call{.method = "POST", .url = start_url(metric, *config), .body = json::write(*request)};
  const auto started = co_await ask(std::move(call), stop);
  if (!started) co_return failed(std::move(measurement), started.error());
  const std::string execution(json::string_at(*started, {kExecution}));
  if (execution.empty())
    co_return failed(std::move(measurement),
                     {.code = ErrorCode::kInvalid, .message = "Invalid canaryExecutionId"});
  measurement.metadata = {{kExecution, execution}};
  measurement.resume_at = now() + kPollGap;
  co_return measurement;
}

slipway::Task<Measurement> KayentaRemote::resume(AnalysisRun run, std::size_t index,
                                                 Measurement last, std::stop_token stop) {
  const KayentaMetric& metric = *run.spec.metrics[index].provider.kayenta;
  const std::string url =
      fmt::format("{}/canary/{}", address_of(metric), http::percent_encode(execution_of(last)));
  const auto answer = co_await ask({.url = url}, std::move(stop));
  if (!answer) {
    if (!is_passing(answer.error()) || lost_polls(last) >= kMaxLostPolls)
      co_return failed(std::move(last), answer.error());
    last.metadata[kLostPolls] = std::to_string(lost_polls(last) + 1);
    last.resume_at = now() + kPollGap;
    co_return last;
  }
  last.metadata.erase(kLostPolls);
  const json::Value* complete = json::at(*answer, {"complete"});
  if (!complete || !complete->is_bool())
    co_return failed(std::move(last),
                     {.code = ErrorCode::kInvalid, .message = "Missing Complete Status"});
  if (!complete->get_bool()) {
    last.resume_at = now() + kPollGap;
    co_return last;
  }
  const json::Value* found = json::at(*answer, {"result", "judgeResult", "score", "score"});
  const auto score = found ? number_in(*found) : std::nullopt;
  if (!score || !(*score >= -1e9 && *score <= 1e9))
    co_return failed(std::move(last), {.code = ErrorCode::kInvalid, .message = "Missing Score"});
  const auto whole = static_cast<std::int64_t>(*score);
  last.value = fmt::format("{}", whole);
  last.phase = phase_of(whole, metric.threshold);
  last.finished_at = now();
  last.resume_at.reset();
  co_return last;
}

slipway::Task<Measurement> KayentaRemote::terminate(AnalysisRun run, std::size_t index,
                                                    Measurement last, std::stop_token stop) {
  const KayentaMetric& metric = *run.spec.metrics[index].provider.kayenta;
  const std::string url = fmt::format("{}/pipelines/{}/cancel", address_of(metric),
                                      http::percent_encode(execution_of(last)));
  (void)co_await ask({.method = "PUT", .url = url}, std::move(stop));
  last.metadata.erase(kLostPolls);
  co_return terminated(std::move(last), now());
}

slipway::Task<Result<>> KayentaRemote::collect(AnalysisRun, Kept, std::stop_token) {
  co_return Result<>();
}

}  // namespace slipway::analysis
