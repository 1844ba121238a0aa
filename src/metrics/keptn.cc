// Keptn metrics and analyses in the cluster. The query is
// keptnmetric/NAMESPACE/NAME or analysis/NAMESPACE/NAME[/DURATION[/KEY=VALUE;…]].
#include <fmt/format.h>

#include "base/random.h"
#include "base/text.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/provider_list.h"
#include "metrics/window.h"

namespace slipway::metrics {

namespace {

constexpr std::string_view kGroup = "/apis/metrics.keptn.sh/v1beta1/namespaces/";
constexpr Duration kAnalysisPause = std::chrono::seconds(1);
constexpr Duration kAnalysisTimeout = std::chrono::seconds(10);
constexpr std::size_t kMaxQuery = 4096;

struct Parsed {
  bool analysis = false;
  std::string space;
  std::string name;
  std::string recent = "1m";
  json::Object args = {};
};

Result<Parsed> parse_keptn_query(std::string_view query) {
  auto parts = text::split(text::trim(text::lower(query)), '/');
  bool metric = parts[0] == "keptnmetric" || parts[0] == "keptnmetrics";
  bool analysis = parts[0] == "analysis" || parts[0] == "analyses";
  if (parts.size() < 3 || query.size() > kMaxQuery || (!metric && !analysis) || parts[1].empty() ||
      parts[2].empty()) {
    return fail(ErrorCode::kInvalid,
                fmt::format("query \"{}\" is not keptnmetric/NAMESPACE/NAME or "
                            "analysis/NAMESPACE/NAME/DURATION/KEY=VALUE;…",
                            excerpt(query)));
  }
  Parsed parsed{.analysis = analysis, .space = parts[1], .name = parts[2]};
  if (parts.size() > 3 && !parts[3].empty()) parsed.recent = parts[3];
  if (parts.size() > 4) {
    for (const std::string& argument : text::split(parts[4], ';')) {
      auto pair = text::split(argument, '=');
      if (pair.size() == 2) parsed.args[pair[0]] = pair[1];
    }
  }
  return parsed;
}

class KeptnProvider final : public Provider {
 public:
  KeptnProvider(Connections& connections, std::string ns)
      : connections_(connections), kube_(*connections.kube()), ns_(std::move(ns)) {}

  Task<Result<Answer>> query(Query query) override {
    auto parsed = parse_keptn_query(query.text);
    if (!parsed) co_return fail(std::move(parsed).error());
    SLIPWAY_CO_TRY(check_namespace(kube_, parsed->space, ns_));
    auto value =
        parsed->analysis ? co_await analyse(*parsed, query) : co_await metric(*parsed, query);
    if (!value) co_return fail(std::move(value).error());
    Answer answer{.shape = Answer::Shape::kScalar};
    answer.series.push_back({.labels = {{"namespace", parsed->space}, {"name", parsed->name}},
                             .points = {{moment_of(query, connections_.clock()), *value}}});
    co_return answer;
  }

  Task<Result<>> is_online() override {
    auto group = co_await kube_.call("GET", "/apis/metrics.keptn.sh", nullptr, kOnlineTimeout, {});
    if (!group) co_return fail(std::move(group).error());
    co_return Result<>();
  }

 private:
  Task<Result<double>> metric(Parsed parsed, Query query) {
    std::string path =
        fmt::format("{}{}/keptnmetrics/{}", kGroup, http::percent_encode(parsed.space),
                    http::percent_encode(parsed.name));
    auto object = co_await kube_.call("GET", std::move(path), nullptr, query.timeout, query.stop);
    if (!object) co_return fail(std::move(object).error());
    std::string_view text = json::string_at(*object, {"status", "value"});
    auto number = parse_number(text);
    if (!number) {
      co_return fail(ErrorCode::kInvalid,
                     fmt::format("KeptnMetric {}/{} has the value \"{}\", which is no number",
                                 parsed.space, parsed.name, excerpt(text)));
    }
    co_return *number;
  }

  // Makes an Analysis, waits for it, and takes it away again.
  Task<Result<double>> analyse(Parsed parsed, Query query) {
    std::string folder = fmt::format("{}{}/analyses", kGroup, http::percent_encode(parsed.space));
    std::string name = fmt::format("{}-{}", parsed.name, system_random()->uuid().substr(0, 6));
    Budget budget(connections_.clock(), std::min(query.timeout, kAnalysisTimeout), query.stop);
    auto made = co_await kube_.call("POST", folder, analysis_object(parsed, name), budget.left(),
                                    query.stop);
    if (!made) co_return fail(std::move(made).error());
    std::string path = folder + "/" + http::percent_encode(name);
    auto value = co_await wait(path, budget);
    // Even when stopped or late: it is ours to clean up.
    auto removed = co_await kube_.call("DELETE", path, nullptr, kOnlineTimeout, {});
    if (value && !removed && removed.error().code != ErrorCode::kNotFound) {
      co_return fail(std::move(removed).error());
    }
    co_return value;
  }

  static json::Value analysis_object(const Parsed& parsed, const std::string& name) {
    json::Value object = json::Object();
    object.get_object()["apiVersion"] = "metrics.keptn.sh/v1beta1";
    object.get_object()["kind"] = "Analysis";
    json::object_at(object, {"metadata"})["name"] = name;
    json::object_at(object, {"metadata"})["namespace"] = parsed.space;
    json::object_at(object, {"spec", "analysisDefinition"})["name"] = parsed.name;
    json::object_at(object, {"spec", "timeframe"})["recent"] = parsed.recent;
    json::object_at(object, {"spec"})["args"] = parsed.args;
    return object;
  }

  Task<Result<double>> wait(std::string path, Budget budget) {
    while (budget.left() > Duration::zero()) {
      auto object = co_await kube_.call("GET", path, nullptr, budget.left(), budget.stop());
      if (!object) co_return fail(std::move(object).error());
      if (json::string_at(*object, {"status", "state"}) == "Completed") {
        const json::Value* pass = json::at(*object, {"status", "pass"});
        co_return pass && pass->is_bool() && pass->get_bool() ? 1.0 : 0.0;
      }
      if (!co_await sleep_for(connections_.loop(), std::min(kAnalysisPause, budget.left()),
                              budget.stop())) {
        co_return fail(ErrorCode::kCancelled, "stopped while waiting for the Keptn Analysis");
      }
    }
    co_return fail(ErrorCode::kTimeout, fmt::format("the Keptn Analysis is not completed within {}",
                                                    format_duration(budget.whole())));
  }

  Connections& connections_;
  KubeConnection& kube_;
  std::string ns_;  // of whoever asks
};

}  // namespace

Result<std::unique_ptr<Provider>> make_keptn(const ProviderSpec& spec, Connections& connections) {
  if (!connections.kube()) {
    return fail(ErrorCode::kInvalid,
                "keptn needs a cluster, and this server has none; `slipway analyze --kubeconfig "
                "FILE` and `slipway serve --kubeconfig FILE` ask one");
  }
  return std::make_unique<KeptnProvider>(connections, spec.ns);
}

}  // namespace slipway::metrics
