#include "cli/serve_analysis.h"

#include "cli/serve_traffic.h"

namespace slipway::cli {

ServedAnalysis::ServedAnalysis(control::Manager& manager, Random& random, Options options)
    : connections_(manager.loop(), metrics::Connections::system_environment(), options.cluster,
                   std::move(options.places)),
      recorder_(manager.loop(), manager.store(), random, "rollouts-controller"),
      jobs_(manager.store(), manager.loop().clock(),
            connections_.environment("ARGO_ROLLOUTS_ANALYSIS_JOB_NAMESPACE")),
      kayenta_(connections_),
      measurer_(manager.loop(), manager.store(),
                [this, &clock = manager.loop().clock(), traffic = std::move(options.traffic)](
                    metrics::ProviderSpec spec) -> Result<std::unique_ptr<metrics::Provider>> {
                  const auto* ledger = spec.type == "traffic" && traffic ? traffic() : nullptr;
                  if (ledger) return make_traffic_provider(spec, *ledger, clock);
                  return metrics::make_provider(std::move(spec), connections_);
                },
                {.own_namespace = std::move(options.own_namespace),
                 .may_read_other_namespaces = options.one_tenant,
                 .environment =
                     [this](const std::string& name) { return connections_.environment(name); }},
                {.job = &jobs_, .kayenta = &kayenta_}),
      reconciler_(manager, recorder_, measurer_) {
  manager.add(analysis::AnalysisRunReconciler::options(), reconciler_);
}

void add_analysis_metrics(server::Metrics& metrics,
                          std::function<const analysis::Measurer::Stats*()> stats) {
  using Type = server::Metrics::Type;
  using Samples = std::vector<server::Metrics::Sample>;
  metrics.add_source("slipway_measurements_total", "Measurements taken, by phase.", Type::kCounter,
                     [stats] {
                       Samples samples;
                       if (const auto* now = stats())
                         for (const auto& [phase, count] : now->finished)
                           samples.push_back({{{"phase", phase}}, static_cast<double>(count)});
                       return samples;
                     });
  metrics.add_source("slipway_measurement_seconds_sum", "Time that measurements took together.",
                     Type::kCounter, [stats] {
                       const auto* now = stats();
                       return now ? Samples{{{}, now->seconds}} : Samples{};
                     });
  metrics.add_source("slipway_measurement_seconds_count", "Measurements taken.", Type::kCounter,
                     [stats] {
                       const auto* now = stats();
                       double count = 0;
                       if (!now) return Samples{};
                       for (const auto& [phase, taken] : now->finished)
                         count += static_cast<double>(taken);
                       return Samples{{{}, count}};
                     });
}

}  // namespace slipway::cli
