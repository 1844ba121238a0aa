// The external metrics API of Kubernetes. The query is NAMESPACE/METRIC?labelSelector=….
#include <fmt/format.h>

#include "base/quantity.h"
#include "metrics/answer_parsers.h"
#include "metrics/credentials.h"
#include "metrics/http_kube_connection.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/provider_list.h"

namespace slipway::metrics {

namespace {

constexpr std::string_view kGroup = "/apis/external.metrics.k8s.io/v1beta1/namespaces/";

std::unexpected<Error> wrong(std::string_view query, std::string_view why) {
  return fail(ErrorCode::kInvalid,
              fmt::format("query \"{}\" {}; write NAMESPACE/METRIC?labelSelector=KEY%3DVALUE",
                          excerpt(query), why));
}

struct Place {
  std::string ns;
  std::string path;
};

Result<Place> place_of(std::string_view query) {
  std::string_view text = query;
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  std::size_t question = std::min(text.find('?'), text.size());
  std::string_view path = text.substr(0, question);
  std::size_t slash = path.find('/');
  std::string_view space = slash == std::string_view::npos ? "" : path.substr(0, slash);
  std::string_view metric = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (metric.find('/') != std::string_view::npos) return wrong(query, "has more than one slash");
  if (metric.empty()) return wrong(query, "names no metric");
  const std::string ns(space.empty() ? "default" : space);
  std::string result =
      fmt::format("{}{}/{}", kGroup, http::percent_encode(ns), http::percent_encode(metric));
  auto parameters =
      http::parse_target("/?" + std::string(text.substr(std::min(question + 1, text.size()))));
  if (!parameters) return wrong(query, "has a selector that is not URL-encoded");
  const std::string* selector = parameters->find("labelSelector");
  if (selector) result += "?labelSelector=" + form_escape(*selector);
  return Place{.ns = ns, .path = std::move(result)};
}

class ExternalMetricsProvider final : public Provider {
 public:
  // `own` is empty when `kube` is the process'.
  ExternalMetricsProvider(KubeConnection& kube, std::unique_ptr<KubeConnection> own, std::string ns)
      : kube_(kube), own_(std::move(own)), ns_(std::move(ns)) {}

  Task<Result<Answer>> query(Query query) override {
    auto place = place_of(query.text);
    if (!place) co_return fail(std::move(place).error());
    SLIPWAY_CO_TRY(check_namespace(kube_, place->ns, ns_));
    auto list =
        co_await kube_.call("GET", std::move(place->path), nullptr, query.timeout, query.stop);
    if (!list) co_return fail(std::move(list).error());
    co_return parse_external_metrics(*list);
  }

  Task<Result<>> is_online() override {
    std::string path = fmt::format("{}kube-system/dummy-metric", kGroup);
    auto list = co_await kube_.call("GET", std::move(path), nullptr, kOnlineTimeout, {});
    if (!list) co_return fail(std::move(list).error());
    co_return Result<>();
  }

 private:
  KubeConnection& kube_;
  std::unique_ptr<KubeConnection> own_;
  std::string ns_;  // of whoever asks
};

}  // namespace

Result<Answer> parse_external_metrics(const json::Value& list) {
  Answer answer{.shape = Answer::Shape::kVector};
  const json::Value* items = json::at(list, {"items"});
  if (!items || items->is_null()) return answer;
  if (!items->is_array()) {
    return fail(ErrorCode::kInvalid, fmt::format("invalid response: items are a list, found {}",
                                                 excerpt(json::write(*items))));
  }
  for (const json::Value& item : items->get_array()) {
    std::string_view text = json::string_at(item, {"value"});
    auto quantity = Quantity::parse(text);
    if (!quantity) {
      return fail(ErrorCode::kInvalid, fmt::format("invalid response: value \"{}\": {}",
                                                   excerpt(text), quantity.error().message));
    }
    Series series;
    series.labels.emplace_back("metricName", json::string_at(item, {"metricName"}));
    if (const json::Value* labels = json::at(item, {"metricLabels"});
        labels && labels->is_object()) {
      for (const auto& label : labels->get_object()) {
        if (const auto* value = label.value().if_string()) {
          series.labels.emplace_back(std::string(label.key()), std::string(*value));
        }
      }
    }
    Time time = parse_time(json::string_at(item, {"timestamp"})).value_or(Time());
    series.points.push_back({time, quantity->value()});
    answer.series.push_back(std::move(series));
  }
  return answer;
}

Result<std::unique_ptr<Provider>> make_externalmetrics(const ProviderSpec& spec,
                                                       Connections& connections) {
  if (spec.address.empty()) {
    if (!connections.kube()) {
      return fail(ErrorCode::kInvalid,
                  "externalmetrics needs a cluster, or the address of an API server in `address`");
    }
    return std::make_unique<ExternalMetricsProvider>(*connections.kube(), nullptr, spec.ns);
  }
  auto address = need_address(spec);
  if (!address) return fail(std::move(address).error());
  auto source = HttpSource::make(spec, connections);
  if (!source) return fail(std::move(source).error());
  auto own = make_http_kube_connection(std::move(*source), std::move(*address),
                                       credential(spec, {"token"}));
  KubeConnection& kube = *own;
  return std::make_unique<ExternalMetricsProvider>(kube, std::move(own), spec.ns);
}

}  // namespace slipway::metrics
