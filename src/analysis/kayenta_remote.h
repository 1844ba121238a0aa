#pragma once

#include "analysis/long_provider.h"
#include "metrics/connections.h"

namespace slipway::analysis {

// Argo's kayenta provider: a Kayenta server judges. The configuration is found by its name, one
// execution is started a measurement and asked for every kPollGap until it is complete; its score,
// without its fraction, is Successful at or over `pass`, Inconclusive at or over `marginal`, else
// Failed. Metadata: canaryExecutionId.
class KayentaRemote final : public LongProvider {
 public:
  static constexpr Duration kPollGap = std::chrono::seconds(15);
  static constexpr Duration kTimeout = std::chrono::seconds(15);  // of one call
  static constexpr int kMaxLostPolls = 4;  // one after the other; the next is an error

  explicit KayentaRemote(metrics::Connections& connections);

  slipway::Task<api::argo::Measurement> start(api::argo::AnalysisRun run, std::size_t metric,
                                              std::stop_token stop) override;
  slipway::Task<api::argo::Measurement> resume(api::argo::AnalysisRun run, std::size_t metric,
                                               api::argo::Measurement last,
                                               std::stop_token stop) override;
  // Asks the server to cancel, and does not insist.
  slipway::Task<api::argo::Measurement> terminate(api::argo::AnalysisRun run, std::size_t metric,
                                                  api::argo::Measurement last,
                                                  std::stop_token stop) override;
  // Nothing of ours stays behind.
  slipway::Task<Result<>> collect(api::argo::AnalysisRun run, Kept kept,
                                  std::stop_token stop) override;

 private:
  struct Call {
    std::string method = "GET";
    std::string url;
    std::string body = {};
  };
  slipway::Task<Result<json::Value>> ask(Call call, std::stop_token stop);
  slipway::Task<Result<std::string>> find_config(api::argo::KayentaMetric metric,
                                                 std::stop_token stop);
  api::argo::Measurement failed(api::argo::Measurement measurement, const Error& error) const;
  Time now() const;

  metrics::Connections& connections_;
};

// The body that starts an execution at `now`. Pure. kInvalid: a start or end on one side only, no
// interval to look back over.
Result<json::Object> execution_request(const api::argo::AnalysisRun& run, std::size_t metric,
                                       Time now);

}  // namespace slipway::analysis
