#include "server/metrics.h"

#include <fmt/format.h>
#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <set>
#include <utility>

namespace slipway::server {
namespace {

struct Source {
  std::string name;
  std::string help;
  Metrics::Type type;
  std::function<std::vector<Metrics::Sample>()> read;
};

prometheus::MetricFamily collect(const Source& source) {
  bool counter = source.type == Metrics::Type::kCounter;
  prometheus::MetricFamily family{
      .name = source.name,
      .help = source.help,
      .type = counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge,
      .metric = {}};
  for (auto& sample : source.read()) {
    prometheus::ClientMetric metric;
    for (auto& [name, value] : sample.labels) metric.label.push_back({name, value});
    if (counter) {
      metric.counter.value = sample.value;
    } else {
      metric.gauge.value = sample.value;
    }
    family.metric.push_back(std::move(metric));
  }
  return family;
}

const prometheus::Histogram::BucketBoundaries& buckets() {
  static const prometheus::Histogram::BucketBoundaries kBuckets = {
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};
  return kBuckets;
}

}  // namespace

struct Metrics::Families {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& requests =
      prometheus::BuildCounter()
          .Name("slipway_api_requests_total")
          .Help("Answered requests by verb, resource and HTTP status.")
          .Register(registry);
  prometheus::Family<prometheus::Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("slipway_api_request_duration_seconds")
          .Help("How long requests took, by verb and resource. Watches are not in it.")
          .Register(registry);
  prometheus::Gauge& in_flight = prometheus::BuildGauge()
                                     .Name("slipway_api_requests_in_flight")
                                     .Help("Requests being answered now.")
                                     .Register(registry)
                                     .Add({});
  prometheus::Family<prometheus::Gauge>& watches = prometheus::BuildGauge()
                                                       .Name("slipway_api_watches")
                                                       .Help("Open watches by resource.")
                                                       .Register(registry);
  std::set<std::string, std::less<>> resources;
  std::vector<Source> sources;
  std::vector<std::function<WritePart()>> texts;

  std::string own_text() const {
    auto collected = registry.Collect();
    for (const auto& source : sources) collected.push_back(collect(source));
    return prometheus::TextSerializer().Serialize(collected);
  }

  std::string resource_label(std::string_view resource) {
    if (resources.contains(resource)) return std::string(resource);
    if (resources.size() >= kMaxResources) return "other";
    return *resources.emplace(resource).first;
  }
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {}
Metrics::~Metrics() = default;

void Metrics::count_request(std::string_view verb, std::string_view resource, int code,
                            Duration took) {
  auto label = families_->resource_label(resource);
  std::string verb_label(verb);
  families_->requests
      .Add({{"verb", verb_label}, {"resource", label}, {"code", fmt::format("{}", code)}})
      .Increment();
  if (verb == "watch") return;
  families_->durations.Add({{"verb", verb_label}, {"resource", label}}, buckets())
      .Observe(std::chrono::duration<double>(took).count());
}

void Metrics::set_in_flight(int requests) { families_->in_flight.Set(requests); }

Metrics::OpenWatch::OpenWatch(Metrics& metrics, std::string resource)
    : metrics_(metrics), resource_(metrics.families_->resource_label(resource)) {
  metrics_.families_->watches.Add({{"resource", resource_}}).Increment();
}
Metrics::OpenWatch::~OpenWatch() {
  metrics_.families_->watches.Add({{"resource", resource_}}).Decrement();
}

void Metrics::add_source(std::string name, std::string help, Type type,
                         std::function<std::vector<Sample>()> read) {
  families_->sources.push_back({std::move(name), std::move(help), type, std::move(read)});
}

void Metrics::add_text(std::function<WritePart()> begin) {
  families_->texts.push_back(std::move(begin));
}

Metrics::WritePart Metrics::scrape() const {
  return [&families = *families_, began = false, next = std::size_t{0},
          part = WritePart()](std::string& to) mutable {
    if (!std::exchange(began, true)) {
      to += families.own_text();
    } else {
      if (!part) part = families.texts[next]();
      if (!part(to)) part = nullptr, ++next;
    }
    return next < families.texts.size();
  };
}

std::string Metrics::text() const {
  std::string text;
  const auto write = scrape();
  while (write(text)) continue;
  return text;
}

}  // namespace slipway::server
