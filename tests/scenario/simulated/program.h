#pragma once

#include <map>
#include <string>

#include "analysis/controller.h"
#include "control/garbage.h"
#include "experiment/controller.h"
#include "rollout/controller.h"
#include "runtime/workloads/workloads.h"
#include "sim/faulty_store.h"

namespace slipway::scenario {

// What a metric source says now, by source and name: a number, `none` or `error`.
using MetricValues = std::map<std::pair<std::string, std::string>, std::string>;

// One life of the program: every controller that `slipway serve` runs, but for those of processes.
class Program {
 public:
  struct Options {
    sim::Faults faults = {};
    const MetricValues& metrics;
  };
  Program(Loop& loop, store::Store& below, api::Registry& registry, Random& random,
          Options options);

  // Whether its store has died or not.
  Task<> stop();
  sim::FaultyStore& store() { return store_; }

 private:
  Random& random_;
  sim::FaultyStore store_;
  control::Manager manager_;
  control::Recorder recorder_;
  runtime::Workloads workloads_;
  control::GarbageCollector garbage_;
  analysis::Measurer measurer_;
  analysis::AnalysisRunReconciler runs_;
  experiment::ExperimentReconciler experiments_;
  rollout::RolloutReconciler rollouts_;
};

}  // namespace slipway::scenario
