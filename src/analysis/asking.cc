#include "analysis/asking.h"

#include <fmt/format.h>

#include "api/schema/codec.h"
#include "lang/expr/condition.h"
#include "metrics/limits.h"

namespace slipway::analysis {

namespace {

namespace argo = api::argo;
using metrics::Dialect;

constexpr Duration kMaxTimeout = std::chrono::minutes(10);
constexpr Duration kTrafficWindow = std::chrono::minutes(1);

std::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::kInvalid, std::move(message));
}

Asking ask(std::string type, std::string query, Dialect dialect = Dialect::kArgo) {
  Asking asking{.query = std::move(query),
                .dialect = dialect,
                .reading = metrics::reading_for(dialect, type)};
  asking.timeout = asking.reading.timeout;
  asking.spec.type = std::move(type);
  return asking;
}

metrics::Labels labels_of(const std::vector<argo::WebMetricHeader>& headers) {
  metrics::Labels labels;
  for (const auto& header : headers) labels.emplace_back(header.key, header.value);
  return labels;
}

Duration duration_or(const api::GoDuration& text, Duration otherwise) {
  return text.empty() ? otherwise : text.value().value_or(otherwise);
}

// A Secret of Argo's own, beside the controller.
SecretNeed own_secret(std::string name) { return {.name = std::move(name), .own = true}; }

std::optional<metrics::OAuth2> oauth2_of(const argo::OAuth2Config& config) {
  if (config.token_url.empty()) return std::nullopt;
  return metrics::OAuth2{.token_url = config.token_url,
                         .client_id = config.client_id,
                         .client_secret = config.client_secret,
                         .scopes = config.scopes};
}

Result<Asking> from(const argo::PrometheusMetric& source) {
  Asking asking = ask("prometheus", source.query);
  if (source.timeout && *source.timeout < 0)
    return invalid("prometheus timeout should not be negative");
  if (source.timeout && *source.timeout > 0) asking.timeout = std::chrono::seconds(*source.timeout);
  asking.spec.address = source.address;
  asking.spec.insecure = source.insecure;
  asking.spec.headers = labels_of(source.headers);
  const auto& sign_in = source.authentication;
  asking.spec.oauth2 = oauth2_of(sign_in.oauth2);
  if (!sign_in.basic_auth.username.empty() && !sign_in.basic_auth.password.empty())
    asking.spec.basic = {sign_in.basic_auth.username, sign_in.basic_auth.password};
  if (!sign_in.sigv4.region.empty())
    asking.spec.sigv4 = {.region = sign_in.sigv4.region,
                         .profile = sign_in.sigv4.profile,
                         .role_arn = sign_in.sigv4.role_arn};
  asking.range = source.range_query;
  asking.shown_as = "ResolvedPrometheusQuery";
  return asking;
}

Result<Asking> from(const argo::WebMetric& source) {
  Asking asking = ask("web", source.json_path);
  if (source.timeout_seconds > 0) asking.timeout = std::chrono::seconds(source.timeout_seconds);
  asking.spec.address = source.url;
  asking.spec.method = source.method;
  asking.spec.headers = labels_of(source.headers);
  asking.spec.body = source.body;
  if (!source.json_body.empty()) asking.spec.json_body = json::write(source.json_body.value);
  asking.spec.insecure = source.insecure;
  asking.spec.oauth2 = oauth2_of(source.authentication.oauth2);
  return asking;
}

Result<Asking> from(const argo::DatadogMetric& source) {
  Asking asking = ask("datadog", source.query);
  if (!source.query.empty() && !source.queries.empty())
    return invalid("Cannot have both a query and queries. Please review the Analysis Template.");
  if (source.query.empty() && source.queries.empty())
    return invalid("Must have either a query or queries. Please review the Analysis Template.");
  asking.interval = duration_or(source.interval, metrics::kDefaultWindow);
  asking.timeout = duration_or(source.request_timeout, asking.timeout);
  asking.spec.api_version = source.api_version;
  asking.spec.aggregator = source.aggregator;
  asking.spec.formula = source.formula;
  for (const auto& [name, query] : source.queries) asking.spec.queries.emplace_back(name, query);
  const auto& secret = source.secret_ref;
  if (secret.namespaced && secret.name.empty())
    return invalid("secretRef.name is required when secretRef.namespaced is true");
  if (secret.name.empty()) {
    asking.secret = own_secret("datadog");
    asking.secret->unless_set = {"DD_API_KEY", "DD_APP_KEY", "DD_ADDRESS"};
  } else {
    asking.secret = SecretNeed{.name = secret.name, .own = !secret.namespaced};
  }
  return asking;
}

Result<Asking> from(const argo::WavefrontMetric& source) {
  Asking asking = ask("wavefront", source.query);
  asking.spec.address = source.address;
  asking.secret = own_secret("wavefront-api-tokens");
  return asking;
}

Result<Asking> from(const argo::NewRelicMetric& source) {
  Asking asking = ask("newrelic", source.query);
  if (source.timeout && *source.timeout < 0)
    return invalid("newrelic timeout should not be negative");
  if (source.timeout && *source.timeout > 0) asking.timeout = std::chrono::seconds(*source.timeout);
  asking.secret = own_secret(source.profile.empty() ? "newrelic" : source.profile);
  asking.shown_as = "ResolvedNewRelicQuery";
  return asking;
}

Result<Asking> from(const argo::CloudWatchMetric& source) {
  const json::Object encoded = api::encode(source);
  const json::Value* queries = encoded.if_contains("metricDataQueries");
  Asking asking = ask("cloudwatch", queries ? json::write(*queries) : "[]");
  asking.interval = duration_or(source.interval, metrics::kDefaultWindow);
  return asking;
}

Result<Asking> from(const argo::GraphiteMetric& source) {
  Asking asking = ask("graphite", source.query);
  asking.spec.address = source.address;
  return asking;
}

Result<Asking> from(const argo::InfluxdbMetric& source) {
  Asking asking = ask("influxdb", source.query);
  asking.secret = own_secret(source.profile.empty() ? "influxdb" : source.profile);
  return asking;
}

Result<Asking> from(const argo::SkyWalkingMetric& source) {
  Asking asking = ask("skywalking", source.query);
  asking.interval = duration_or(source.interval, metrics::kDefaultWindow);
  asking.spec.address = source.address;
  return asking;
}

Result<> read_duration(const api::GoDuration& text, std::string_view field, Duration& into) {
  if (text.empty()) return {};
  auto value = text.value();
  if (!value) return invalid(fmt::format("{}: {}", field, value.error().message));
  into = *value;
  return {};
}

Result<Asking> from(const argo::TrafficMetric& source) {
  Asking asking = ask("traffic", source.metric);
  SLIPWAY_TRY(read_duration(source.window, "traffic.window", asking.window));
  if (asking.window <= Duration::zero()) asking.window = kTrafficWindow;
  asking.step = asking.window;
  asking.reading.outcome = metrics::Reading::Outcome::kNumber;
  asking.spec.address = source.service;
  return asking;
}

Result<Dialect> dialect_of(const std::string& reading) {
  if (reading.empty() || reading == "argo") return Dialect::kArgo;
  if (reading == "flagger") return Dialect::kFlagger;
  if (reading == "pipecd") return Dialect::kPipecd;
  return invalid(fmt::format("reading \"{}\" is not argo, flagger or pipecd", reading));
}

Result<Asking> from(const argo::SourceMetric& source) {
  auto dialect = dialect_of(source.reading);
  if (!dialect) return std::unexpected(std::move(dialect).error());
  Asking asking = ask(source.type, source.query, *dialect);
  SLIPWAY_TRY(read_duration(source.interval, "source.interval", asking.interval));
  SLIPWAY_TRY(read_duration(source.window, "source.window", asking.window));
  SLIPWAY_TRY(read_duration(source.step, "source.step", asking.step));
  SLIPWAY_TRY(read_duration(source.timeout, "source.timeout", asking.timeout));
  asking.spec.address = source.address;
  asking.spec.region = source.region;
  asking.spec.headers = labels_of(source.headers);
  asking.spec.insecure = source.insecure_skip_verify;
  if (source.secret_ref)
    asking.secret = SecretNeed{.name = source.secret_ref->name, .ns = source.secret_ref->ns};
  for (const auto& [key, path] : source.files) asking.files.push_back({key, path});
  asking.shown_as = "ResolvedQuery";
  return asking;
}

template <class Source>
bool take(const std::optional<Source>& source, std::optional<Result<Asking>>& asking) {
  if (source) asking = from(*source);
  return source.has_value();
}

// The one source that a provider or a side names; nothing when it names none of these.
template <class Sources>
std::optional<Result<Asking>> source_of(const Sources& p) {
  std::optional<Result<Asking>> asking;
  (void)(take(p.prometheus, asking) || take(p.web, asking) || take(p.datadog, asking) ||
         take(p.wavefront, asking) || take(p.new_relic, asking) || take(p.cloud_watch, asking) ||
         take(p.graphite, asking) || take(p.influxdb, asking) || take(p.skywalking, asking) ||
         take(p.traffic, asking) || take(p.source, asking));
  return asking;
}

Result<Asking> completed(Result<Asking> asking, Duration interval) {
  if (!asking) return asking;
  if (asking->interval <= Duration::zero())
    asking->interval = interval > Duration::zero() ? interval : metrics::kDefaultWindow;
  asking->timeout = std::min(asking->timeout, kMaxTimeout);
  if (asking->timeout <= Duration::zero()) asking->timeout = asking->reading.timeout;
  return asking;
}

Result<Time> moment(std::string_view expression, std::string_view which, Time now) {
  auto time = lang::expr::evaluate_time(expression, now);
  if (time) return *time;
  return invalid(
      fmt::format("failed to parse rangeQuery.{} as time: {}", which, time.error().message));
}

Result<metrics::Range> range_between(const argo::PrometheusRangeQueryArgs& args, Time now) {
  auto start = moment(args.start, "start", now);
  if (!start) return std::unexpected(std::move(start).error());
  auto end = moment(args.end, "end", now);
  if (!end) return std::unexpected(std::move(end).error());
  auto step = args.step.value();
  if (!step) return invalid("failed to parse rangeQuery.step as duration: " + step.error().message);
  return metrics::Range{.from = *start, .to = *end, .step = *step};
}

}  // namespace

Result<Asking> asking_of(const argo::MetricProvider& provider, Duration interval) {
  if (auto asking = source_of(provider)) return completed(std::move(*asking), interval);
  if (!provider.plugin.empty()) {
    const auto* plugins = provider.plugin.value.if_object();
    return invalid(fmt::format(
        "plugin \"{}\" is a program of Argo Rollouts, which slipway cannot run; ask its source "
        "with provider.web or provider.source",
        plugins && !plugins->empty() ? std::string_view(plugins->begin()->key()) : ""));
  }
  return invalid("no valid provider: it is none that answers one query");
}

Result<std::optional<Asking>> asking_of(const argo::CompareSide& side, Duration interval) {
  auto source = source_of(side);
  if (!source) return std::optional<Asking>();
  auto asking = completed(std::move(*source), interval);
  if (!asking) return std::unexpected(std::move(asking).error());
  return std::optional<Asking>(std::move(*asking));
}

Result<metrics::Query> query_of(const Asking& asking, Time now) {
  metrics::Query query = metrics::make_query(asking.reading, asking.query, now, asking.interval);
  query.timeout = asking.timeout;
  if (asking.range) {
    auto range = range_between(*asking.range, now);
    if (!range) return std::unexpected(std::move(range).error());
    query.range = *range;
  } else if (asking.window > Duration::zero()) {
    query.at = now;
    query.range = metrics::Range{.from = now - asking.window, .to = now};
    if (asking.step > Duration::zero()) query.range->step = asking.step;
  }
  return query;
}

metrics::Query query_over(const Asking& asking, const metrics::Range& range) {
  // Blanks as the dialect has them; its window is not asked for.
  metrics::Query query = metrics::make_query(asking.reading, asking.query, range.to, Duration());
  query.at = range.to;
  query.range = range;
  query.timeout = asking.timeout;
  return query;
}

}  // namespace slipway::analysis
