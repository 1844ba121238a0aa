#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/asking.h"
#include "analysis/assess.h"
#include "analysis/due.h"
#include "async/limit.h"
#include "store/store.h"

namespace slipway::analysis {

// Makes the provider of a source: metrics::make_provider in programs, a fake in tests.
using OpenProvider =
    std::function<Result<std::unique_ptr<metrics::Provider>>(metrics::ProviderSpec spec)>;

struct MeasurerOptions {
  std::string own_namespace = "argo-rollouts";  // where Argo's providers look for their Secrets
  bool may_read_files = false;  // source.files: yes for a command of the user, no for a server
  // An empty text is a variable that is not set.
  std::function<std::string(const std::string& name)> environment = {};
};

// Takes measurements: asks providers, gives their answers to those who judge them.
//
// Bounded: so many queries at once, and so many of one source, in the order they come; one that
// has not had its turn within its own timeout has failed.
class Measurer {
 public:
  static constexpr int kMaxAtOnce = 1024;
  static constexpr int kMaxOfOneSource = 128;
  static constexpr std::size_t kMaxMessage = 2048;  // of a measurement, in bytes

  Measurer(Loop& loop, store::Store& store, OpenProvider open, MeasurerOptions options = {});
  ~Measurer();

  // Those tasks of a run whose arguments are resolved, side by side; never fails. Stopped, it gives
  // what it has: a measurement that was not finished is left out. The run is shared with the caller
  // while its metrics are asked.
  slipway::Task<std::vector<Measured>> measure(std::shared_ptr<const api::argo::AnalysisRun> run,
                                               std::vector<Task> tasks, std::stop_token stop);

  struct Stats {
    std::map<std::string, std::uint64_t> finished;  // measurements by phase
    double seconds = 0;                             // all of them took
  };
  const Stats& stats() const { return stats_; }

 private:
  class Sources;

  Loop& loop_;
  store::Store& store_;
  OpenProvider open_;
  MeasurerOptions options_;
  std::unique_ptr<Sources> sources_;
  Stats stats_;
};

}  // namespace slipway::analysis
