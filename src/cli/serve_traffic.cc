#include "cli/serve_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace slipway::cli {

namespace {

namespace traffic = runtime::traffic;

constexpr int kPoolThreads = 1;  // one proxy, asked one thing at a time
constexpr std::size_t kMaxPoints = 11'000;

std::string proxy_folder(const std::string& data) {
  std::error_code problem;
  const auto full = std::filesystem::weakly_canonical(data + "/traffic", problem);
  return problem ? data + "/traffic" : full.string();
}

using Reader = std::optional<double> (*)(const traffic::Counters&);

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// A mean of nothing is no number.
Reader find_reader(std::string_view metric) {
  using traffic::Counters;
  if (metric == "requests")
    return [](const Counters& c) { return std::optional(static_cast<double>(c.requests)); };
  if (metric == "errorCount")
    return [](const Counters& c) { return std::optional(static_cast<double>(c.errors)); };
  if (metric == "errors")
    return [](const Counters& c) {
      return c.requests ? std::optional(share(c.errors, c.requests)) : std::nullopt;
    };
  if (metric == "latencyMean")
    return [](const Counters& c) {
      return c.requests ? std::optional(share(c.latency_us, c.requests) / 1000) : std::nullopt;
    };
  return nullptr;
}

class TrafficProvider final : public metrics::Provider {
 public:
  TrafficProvider(store::Key service, const traffic::Ledger& ledger, Clock& clock)
      : service_(std::move(service)), ledger_(ledger), clock_(clock) {}

  Task<Result<metrics::Answer>> query(metrics::Query query) override {
    co_return answer(std::move(query));
  }
  Task<Result<>> is_online() override { co_return Result<>(); }

 private:
  Result<metrics::Answer> answer(metrics::Query query) const {
    const Reader read = find_reader(query.text);
    if (!read)
      return fail(ErrorCode::kInvalid,
                  fmt::format("traffic metric \"{}\" is not requests, errors, errorCount or "
                              "latencyMean",
                              query.text));
    const Time at = query.at == Time() ? clock_.now() : query.at;
    const metrics::Range range =
        query.range.value_or(metrics::Range{.from = at - std::chrono::minutes(1), .to = at});
    const Duration whole = range.to - range.from;
    const Duration step = range.step > Duration::zero() ? std::min(range.step, whole) : whole;
    metrics::Series series{.labels = {{"service", service_.name}, {"namespace", service_.ns}}};
    if (step > Duration::zero())
      for (Time end = range.from + step; end <= range.to && series.points.size() < kMaxPoints;
           end += step)
        if (const auto counted = ledger_.between(service_, end - step, end))
          if (const auto value = read(*counted)) series.points.push_back({end, *value});
    metrics::Answer answer{.shape = metrics::Answer::Shape::kMatrix};
    if (!series.points.empty()) answer.series.push_back(std::move(series));
    return answer;
  }

  store::Key service_;
  const traffic::Ledger& ledger_;
  Clock& clock_;
};

}  // namespace

ServedTraffic::ServedTraffic(control::Manager& manager, Random& random, const std::string& data)
    : pool_(make_thread_pool(kPoolThreads)),
      recorder_(manager.loop(), manager.store(), random, "traffic-controller"),
      controller_(manager, recorder_, *pool_, proxy_folder(data)) {}

Task<> ServedTraffic::stop(bool end_proxy) {
  controller_.stop(end_proxy);
  co_await recorder_.stop();
}

void add_traffic_metrics(server::Metrics& metrics,
                         std::function<const traffic::TrafficController*()> controller) {
  using Type = server::Metrics::Type;
  using Samples = std::vector<server::Metrics::Sample>;
  const auto by_service = [&](std::string name, std::string help, auto read) {
    metrics.add_source(std::move(name), std::move(help), Type::kCounter, [controller, read] {
      Samples samples;
      if (const auto* now = controller())
        for (const auto& [service, counters] : now->ledger().totals())
          samples.push_back({{{"namespace", service.ns}, {"service", service.name}},
                             static_cast<double>(read(counters))});
      return samples;
    });
  };
  using traffic::Counters;
  by_service("slipway_traffic_requests_total", "Requests answered through the proxy, by Service.",
             [](const Counters& c) { return static_cast<double>(c.requests); });
  by_service("slipway_traffic_errors_total", "Answers with a status of 500 and above.",
             [](const Counters& c) { return static_cast<double>(c.errors); });
  by_service("slipway_traffic_seconds_total", "Time until the headers of all answers together.",
             [](const Counters& c) { return static_cast<double>(c.latency_us) / 1e6; });
  metrics.add_source(
      "slipway_proxy_events_total", "What was done to the proxy, by kind.", Type::kCounter,
      [controller] {
        Samples samples;
        const auto* now = controller();
        if (!now) return samples;
        const auto add = [&](std::string kind, std::uint64_t count) {
          samples.push_back({{{"event", std::move(kind)}}, static_cast<double>(count)});
        };
        add("reload", now->counts().reloads);
        add("change", now->counts().changes);
        add("death", now->counts().restarts);
        return samples;
      });
}

std::unique_ptr<metrics::Provider> make_traffic_provider(const metrics::ProviderSpec& spec,
                                                         const traffic::Ledger& ledger,
                                                         Clock& clock) {
  const auto slash = spec.address.find('/');
  const store::Key service{spec.address.substr(0, slash),
                           slash == std::string::npos ? "" : spec.address.substr(slash + 1)};
  return std::make_unique<TrafficProvider>(service, ledger, clock);
}

}  // namespace slipway::cli
