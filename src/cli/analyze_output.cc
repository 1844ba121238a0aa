#include "cli/analyze_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/phase.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/verdict.h"
#include "base/yaml.h"
#include "cli/exit_code.h"

namespace slipway::cli {

namespace {

using api::argo::AnalysisRun;

constexpr std::size_t kMaxRecordedBytes = 64 * 1024 * 1024;
constexpr std::size_t kMaxNamedRuns = 3;

void add_metrics(json::Array& metrics, const AnalysisRun& run, const json::Object& document,
                 bool several) {
  const json::Value* status = document.if_contains("status");
  const json::Value* results = status == nullptr ? nullptr : json::at(*status, {"metricResults"});
  if (results == nullptr || !results->is_array()) return;
  const auto all = analysis::report::evidence_of(run);
  for (const auto& result : results->get_array()) {
    json::Object metric = result.get_object();
    for (const char* key : {"message", "phase", "name"})
      if (!metric.contains(key)) metric[key] = "";
    const auto evidence = std::ranges::find(all, std::string_view(metric["name"].get_string()),
                                            &analysis::report::Evidence::name);
    // Argo says something of errors only.
    if (metric["message"].get_string().empty() && evidence != all.end())
      metric["message"] = analysis::report::metric_reason(*evidence);
    if (!metric.contains("measurements")) metric["measurements"] = json::Array();
    if (several)
      metric["name"] = fmt::format("{}/{}", analysis::report::name_of(run),
                                   std::string_view(metric["name"].get_string()));
    metrics.push_back(std::move(metric));
  }
}

Result<AnalysisRun> read_run(const json::Value& value) {
  if (json::string_at(value, {"kind"}) != "AnalysisRun")
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is no AnalysisRun; give one of `slipway get analysisrun NAME "
                            "-o json`, or what `slipway analyze -o json` printed",
                            json::string_at(value, {"kind"})),
                "kind");
  return api::decode<AnalysisRun>(value);
}

}  // namespace

void forget_unmeasured(AnalysisRun& run) {
  if (!run.status) return;
  bool forgotten = run.status->metric_results.size() < run.spec.metrics.size();
  for (auto& result : run.status->metric_results) {
    if (result.phase != analysis::kSuccessful || result.successful > 0) continue;
    result.phase = analysis::kInconclusive;
    if (result.message.empty()) result.message = "interrupted before it was measured";
    forgotten = true;
  }
  if (forgotten && run.status->phase == analysis::kSuccessful)
    run.status->phase = analysis::kInconclusive;
}

std::string phase_of(const AnalysisOutcome& outcome) {
  const std::string_view worst = analysis::report::worst_phase(outcome.runs);
  // A record may end before its verdict, under another configuration.
  const bool undecided =
      !analysis::is_completed(worst) || (outcome.interrupted && worst == analysis::kSuccessful);
  return std::string(undecided ? analysis::kInconclusive : worst);
}

int exit_code_of(const AnalysisOutcome& outcome) {
  const std::string phase = phase_of(outcome);
  if (phase == analysis::kSuccessful) return kExitDone;
  if (phase == analysis::kFailed) return kExitFailed;
  return phase == analysis::kError ? kExitCannotAsk : kExitInconclusive;
}

std::string verdict_of(const AnalysisOutcome& outcome) {
  if (outcome.runs.empty()) return phase_of(outcome);
  const std::string phase = phase_of(outcome);
  const std::string_view worst = analysis::report::worst_phase(outcome.runs);
  std::string text;
  std::size_t named = 0;
  for (const auto& run : outcome.runs) {
    const bool decides =
        !run.status || run.status->phase == phase || phase == analysis::kInconclusive;
    if (!decides || ++named > kMaxNamedRuns) continue;
    std::string line = analysis::report::run_verdict(run);
    if (outcome.runs.size() > 1) line = analysis::report::name_of(run) + ": " + line;
    text += (text.empty() ? "" : " · ") + line;
  }
  if (named > kMaxNamedRuns) text += fmt::format(" · and {} more", named - kMaxNamedRuns);
  if (phase == analysis::kSuccessful && outcome.runs.size() > 1)
    text = fmt::format("Successful: {} analyses passed", outcome.runs.size());
  if (phase == analysis::kInconclusive && !analysis::is_completed(worst) && !outcome.interrupted)
    text = fmt::format("{}: the record ends before a verdict: {}", phase, text);
  if (outcome.interrupted) text = fmt::format("{} (interrupted): {}", phase, text);
  return text;
}

json::Object to_json(const AnalysisOutcome& outcome) {
  json::Array metrics, runs;
  for (const auto& run : outcome.runs) {
    json::Object document = api::encode(run);
    add_metrics(metrics, run, document, outcome.runs.size() > 1);
    runs.push_back(std::move(document));
  }
  return {{"phase", phase_of(outcome)},
          {"message", verdict_of(outcome)},
          {"metrics", std::move(metrics)},
          {"runs", std::move(runs)}};
}

Result<std::vector<AnalysisRun>> read_runs(std::string_view text) {
  auto documents = yaml::read(text, {.max_bytes = kMaxRecordedBytes});
  if (!documents) return std::unexpected(std::move(documents).error());
  std::vector<AnalysisRun> runs;
  for (const auto& document : *documents) {
    const json::Value* several = json::at(document.value, {"runs"});
    if (several == nullptr) several = json::at(document.value, {"items"});
    if (several == nullptr || !several->is_array()) {
      auto run = read_run(document.value);
      if (!run) return std::unexpected(std::move(run).error());
      runs.push_back(std::move(*run));
      continue;
    }
    for (const auto& value : several->get_array()) {
      auto run = read_run(value);
      if (!run) return std::unexpected(std::move(run).error());
      runs.push_back(std::move(*run));
    }
  }
  if (runs.empty()) return fail(ErrorCode::kInvalid, "holds no AnalysisRun");
  return runs;
}

}  // namespace slipway::cli
