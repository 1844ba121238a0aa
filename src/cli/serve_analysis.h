#pragma once

#include <functional>

#include "analysis/controller.h"
#include "analysis/job.h"
#include "analysis/kayenta_remote.h"
#include "metrics/connections.h"
#include "runtime/traffic/stats.h"
#include "server/metrics.h"

namespace slipway::cli {

// What carries AnalysisRuns out, for one term of a manager that has not started yet.
class ServedAnalysis {
 public:
  struct Options {
    std::string own_namespace = "argo-rollouts";  // Secrets that Argo looks for beside itself
    bool one_tenant = false;  // whoever may make a run may read every Secret anyway
    // What the embedded proxy saw; null, or not set: there is none.
    std::function<const runtime::traffic::Ledger*()> traffic = {};
    metrics::KubeConnection* cluster = nullptr;  // outlives it; null: there is none
    metrics::Connections::Places places = {};    // of names that are known here alone
  };
  ServedAnalysis(control::Manager& manager, Random& random, Options options);

  // Before the manager stops: measurements under way are given up.
  void request_stop() { reconciler_.request_stop(); }
  // After it has.
  Task<> stop() { return recorder_.stop(); }

  const analysis::Measurer::Stats& stats() const { return measurer_.stats(); }

 private:
  metrics::Connections connections_;
  control::Recorder recorder_;
  analysis::JobProvider jobs_;
  analysis::KayentaRemote kayenta_;
  analysis::Measurer measurer_;
  analysis::AnalysisRunReconciler reconciler_;
};

// Families about measurements; `stats` gives null while nobody measures.
void add_analysis_metrics(server::Metrics& metrics,
                          std::function<const analysis::Measurer::Stats*()> stats);

}  // namespace slipway::cli
