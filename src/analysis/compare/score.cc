#include "analysis/compare/score.h"

#include <fmt/format.h>

#include "analysis/compare/samples.h"
#include "analysis/compare/verdict.h"
#include "analysis/due.h"
#include "analysis/phase.h"
#include "analysis/run_rules.h"
#include "judge/kayenta/config.h"

namespace slipway::analysis {
namespace {

namespace kayenta = judge::kayenta;

constexpr std::size_t kMaxNamed = 3;       // of the metrics that failed
constexpr std::size_t kMaxReported = 100;  // metrics that a measurement's value names

json::Object as_json(const MixedPair& pair, const kayenta::Classification& found) {
  json::Object one{{"name", pair.name}};
  json::Object tags;
  for (const auto& [name, value] : pair.tags) tags[name] = value;
  if (!tags.empty()) one["tags"] = std::move(tags);
  one["label"] = kayenta::to_string(found.label);
  if (found.critical) one["critical"] = true;
  one["ratio"] = found.ratio;
  one["n"] = json::Array{found.control.count, found.experiment.count};
  one["reason"] = found.answer.reason;
  return one;
}

json::Object as_json(const kayenta::Judgement& judgement, const Mixed& mixed,
                     const kayenta::Thresholds& thresholds) {
  const kayenta::Score& score = judgement.score;
  json::Array groups;
  for (const auto& group : score.groups)
    groups.push_back(json::Object{{"name", group.name},
                                  {"score", group.score},
                                  {"weight", group.weight},
                                  {"noData", group.no_data}});
  json::Array metrics;
  for (std::size_t i = 0; i < std::min(kMaxReported, mixed.pairs.size()); ++i)
    metrics.push_back(as_json(mixed.pairs[i], judgement.metrics[i]));
  json::Object object{{"score", score.total},
                      {"classification", kayenta::to_string(score.label)},
                      {"reason", score.reason},
                      {"pass", thresholds.pass},
                      {"marginal", thresholds.marginal},
                      {"groups", std::move(groups)},
                      {"metrics", std::move(metrics)}};
  if (mixed.pairs.size() > kMaxReported) object["omitted"] = mixed.pairs.size() - kMaxReported;
  return object;
}

// The metrics that pulled a score down: "errors is High, latency is Low".
std::string culprits(const kayenta::Judgement& judgement, const Mixed& mixed) {
  std::string text;
  std::size_t found = 0;
  for (std::size_t i = 0; i < mixed.pairs.size(); ++i) {
    const auto label = judgement.metrics[i].label;
    if (label == kayenta::Label::kPass || label == kayenta::Label::kNodata) continue;
    if (++found > kMaxNamed) continue;
    text += fmt::format("{}{} is {}", text.empty() ? "" : ", ", mixed.pairs[i].name,
                        kayenta::to_string(label));
  }
  return found > kMaxNamed ? fmt::format("{} and {} more", text, found - kMaxNamed) : text;
}

// Before the last look that is planned a score from `marginal` on goes on.
Outcome outcome_of(const kayenta::Score& score, const std::string& guilty,
                   const kayenta::Thresholds& limits, bool last) {
  const std::string text = fmt::format("score {:g}", score.total);
  const std::string& reason = score.reason.empty() ? guilty : score.reason;
  const std::string why = reason.empty() ? "" : ": " + reason;
  if (score.label == kayenta::ScoreLabel::kPass)
    return {.phase = kSuccessful, .message = fmt::format("{} reaches {:g}", text, limits.pass)};
  if (score.label == kayenta::ScoreLabel::kFail)
    return {.phase = kFailed,
            .message = fmt::format("{} is under {:g}{}", text, limits.marginal, why)};
  const std::string message = fmt::format("{} is under {:g}{}", text, limits.pass, why);
  if (last) return {.phase = kInconclusive, .message = message};
  return {.phase = kSuccessful, .message = message + " so far"};
}

Result<kayenta::Thresholds> thresholds_of(const api::argo::ScoreMetric& score,
                                          const kayenta::CanaryConfig& config) {
  const kayenta::Thresholds limits{.pass = score.pass.value_or(config.thresholds.pass),
                                   .marginal = score.marginal.value_or(config.thresholds.marginal)};
  if (!(limits.marginal <= limits.pass))
    return fail(ErrorCode::kInvalid,
                fmt::format("marginal {:g} is over pass {:g}", limits.marginal, limits.pass),
                "score.marginal");
  return limits;
}

bool is_last(const api::argo::AnalysisRun& run, const api::argo::Metric& metric) {
  const auto planned = count_of(metric);
  const auto* result = result_of(run, metric.name);
  return planned && (result ? result->count : 0) + 1 >= *planned;
}

struct Scored {
  json::Object value = {};
  Outcome outcome = {};
};
Result<Scored> scored(const api::argo::AnalysisRun& run, const api::argo::Metric& metric,
                      const Mixed& mixed, Time now) {
  const auto& score = *metric.provider.score;
  const auto config = kayenta::read_config(score.config.value);
  if (!config) return std::unexpected(config.error());
  const auto limits = thresholds_of(score, *config);
  if (!limits) return std::unexpected(limits.error());
  std::vector<kayenta::MetricPair> pairs;
  for (const MixedPair& pair : mixed.pairs)
    pairs.push_back({.name = pair.name,
                     .control = padded(pair.control, mixed.length),
                     .experiment = padded(pair.experiment, mixed.length)});
  const auto judged = kayenta::judge_canary(*config, *limits, pairs);
  if (!judged) return std::unexpected(judged.error());
  Scored done{.value = as_json(*judged, mixed, *limits)};
  done.outcome = has_conditions(metric) ? by_conditions(metric, done.value, now, false)
                                        : outcome_of(judged->score, culprits(*judged, mixed),
                                                     *limits, is_last(run, metric));
  if (!mixed.note.empty())
    done.outcome.message += (done.outcome.message.empty() ? "" : "; ") + mixed.note;
  return done;
}

}  // namespace

Looked score_mixed(const api::argo::AnalysisRun& run, std::size_t index, const Mixed& mixed,
                   Time started, Time now) {
  const api::argo::Metric& metric = run.spec.metrics[index];
  auto done = scored(run, metric, mixed, now);
  if (!done) return failed_look(metric, done.error(), started, now);
  return {.measurement = {.phase = std::string(done->outcome.phase),
                          .message = std::move(done->outcome.message),
                          .started_at = started,
                          .finished_at = now,
                          .value = json::write(done->value),
                          .samples = {.value = to_json(mixed)}}};
}

Looked judge_score(const api::argo::AnalysisRun& run, std::size_t index,
                   std::span<const LookInput> inputs, Time started, Time now) {
  const api::argo::Metric& metric = run.spec.metrics[index];
  const auto began = run.status && run.status->started_at ? *run.status->started_at : started;
  const metrics::Range range = look_range(metric, result_of(run, metric.name), began, started);
  auto mixed = mix(*metric.provider.score, inputs, range);
  if (!mixed) return failed_look(metric, mixed.error(), started, now);
  return score_mixed(run, index, *mixed, started, now);
}

}  // namespace slipway::analysis
