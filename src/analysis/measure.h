#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/assess.h"
#include "analysis/due.h"
#include "analysis/measure_source.h"

namespace slipway::analysis {

class LongProvider;

// Either may be missing, which a metric that needs it is told.
struct LongProviders {
  LongProvider* job = nullptr;
  LongProvider* kayenta = nullptr;
};

// Takes measurements: asks sources and gives their answers to those who judge them.
class Measurer {
 public:
  static constexpr std::size_t kMaxMessage = 2048;    // of a measurement, in bytes
  static constexpr std::size_t kMaxValue = 8 * 1024;  // and of its value, or a metadata entry

  Measurer(Loop& loop, store::Store& store, OpenProvider open, MeasurerOptions options = {},
           LongProviders long_providers = {});

  // Those tasks of a run whose arguments are resolved, side by side; never fails. Stopped, it gives
  // what it has: a measurement that was not finished is left out. The run is shared with the caller
  // while its metrics are asked.
  slipway::Task<std::vector<Measured>> measure(std::shared_ptr<const api::argo::AnalysisRun> run,
                                               std::vector<Task> tasks, std::stop_token stop);
  // Deletes what belongs to measurements that are no longer kept.
  slipway::Task<> collect(std::shared_ptr<const api::argo::AnalysisRun> run, Kept kept,
                          std::stop_token stop);

  struct Stats {
    std::map<std::string, std::uint64_t> finished = {};  // measurements by phase
    double seconds = 0;                                  // all of them took
  };
  const Stats& stats() const { return stats_; }

 private:
  using Run = std::shared_ptr<const api::argo::AnalysisRun>;

  slipway::Task<Measured> take(Run run, Task task, std::stop_token stop);
  slipway::Task<Measured> ask_plain(Run run, Task task, std::stop_token stop);
  slipway::Task<Measured> ask_long(LongProvider& provider, Run run, Task task,
                                   std::stop_token stop);
  slipway::Task<Measured> look(Run run, Task task, std::stop_token stop);
  slipway::Task<Measured> score(Run run, Task task, std::stop_token stop);
  LongProvider* long_provider_of(const api::argo::Metric& metric) const;
  // To the second, as it is written down.
  Time now() const;

  Loop& loop_;
  SourceAsker sources_;
  LongProviders long_;
  Stats stats_;
};

}  // namespace slipway::analysis
