#include "analysis/kayenta/lint_kayenta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/kayenta/compile_kayenta.h"
#include "api/lint/lint_report.h"
#include "base/text.h"
#include "judge/kayenta/config.h"

namespace slipway::analysis {

namespace {

constexpr double kWholeWeight = 100;
constexpr std::string_view kJudge = "NetflixACAJudge-v1.0";

// Every variable of a query's templates (`${x}`, or `$\{x}` as Kayenta keeps them), so that only
// what no request could give is a mistake.
std::map<std::string, std::string> variables_in(std::string_view text) {
  std::map<std::string, std::string> out;
  char before = 0;
  for (std::size_t i = 0; i < text.size(); before = text[i++]) {
    if (text[i] != '{' || (before != '$' && before != '\\')) continue;
    const std::string_view rest = text.substr(i + 1);
    const std::string_view name = text::trim(rest.substr(0, rest.find_first_of("}!")));
    if (!name.empty()) out.emplace(name, "x");
  }
  return out;
}

KayentaScope anybody(std::string_view who, const json::Value& metric, const json::Value& config) {
  std::string texts = json::write(metric);
  if (const json::Value* templates = json::at(config, {"templates"}))
    texts += json::write(*templates);
  KayentaScope scope{
      .scope = std::string(who), .location = std::string(who), .extended = variables_in(texts)};
  for (const std::string_view own : {"scope", "location"}) scope.extended.erase(std::string(own));
  // Requests may give these.
  scope.extended.emplace("_scope_key", "scope");
  return scope;
}

void lint_query(const json::Value& metric, const json::Value& config, const std::string& path,
                api::LintReport& report) {
  const json::Value* query = json::at(metric, {"query"});
  if (query == nullptr || !query->is_object())
    return report.error(path + ".query", "is missing; a metric needs a query");
  const json::Value* templates = json::at(config, {"templates"});
  constexpr std::int64_t kStep = 60;
  auto control = kayenta_query(query->get_object(), templates, anybody("a", metric, config), kStep,
                               path + ".query");
  if (!control) return report.error(control.error().where, control.error().message);
  auto experiment = kayenta_query(query->get_object(), templates, anybody("b", metric, config),
                                  kStep, path + ".query");
  if (experiment && experiment->text == control->text && variables_in(json::write(*query)).empty())
    report.warning(path + ".query",
                   "asks the same of control and experiment, whatever their scopes; use ${scope}");
}

// Members that would be passed over in silence, with the likely spelling.
void lint_members(const json::Value& object, const std::string& path,
                  const std::vector<std::string_view>& known, api::LintReport& report) {
  if (!object.is_object()) return;
  for (const auto& [key, unused] : object.get_object()) {
    if (std::ranges::find(known, std::string_view(key)) != known.end()) continue;
    const std::string_view meant = text::likely(key, known);
    report.warning(fmt::format("{}.{}", path, std::string_view(key)),
                   meant.empty() ? fmt::format("\"{}\" is not used", std::string_view(key))
                                 : fmt::format("\"{}\" is not used; did you mean \"{}\"?",
                                               std::string_view(key), meant));
  }
}

void lint_word(const json::Value& canary, std::string_view key,
               const std::vector<std::string>& allowed, const std::string& path,
               api::LintReport& report) {
  const std::string_view word = json::string_at(canary, {key});
  if (word.empty() || std::ranges::find(allowed, word) != allowed.end()) return;
  report.warning(fmt::format("{}.{}", path, key),
                 fmt::format("\"{}\" is taken for \"{}\"; write {}", word, allowed.front(),
                             text::either(allowed)));
}

void lint_classification(const json::Value& metric, const std::string& path,
                         api::LintReport& report) {
  const json::Value* canary = json::at(metric, {"analysisConfigurations", "canary"});
  if (canary == nullptr) return;
  const std::string place = path + ".analysisConfigurations.canary";
  lint_members(
      *canary, place,
      {"direction", "nanStrategy", "critical", "mustHaveData", "muted", "outliers", "effectSize"},
      report);
  lint_word(*canary, "direction", {"either", "increase", "decrease"}, place, report);
  lint_word(*canary, "nanStrategy", {"remove", "replace"}, place, report);
  if (const json::Value* outliers = json::at(*canary, {"outliers"})) {
    lint_members(*outliers, place + ".outliers", {"strategy", "outlierFactor"}, report);
    lint_word(*outliers, "strategy", {"keep", "remove"}, place + ".outliers", report);
  }
  if (const json::Value* size = json::at(*canary, {"effectSize"})) {
    lint_members(
        *size, place + ".effectSize",
        {"measure", "allowedIncrease", "allowedDecrease", "criticalIncrease", "criticalDecrease"},
        report);
    lint_word(*size, "measure", {"meanRatio", "cles"}, place + ".effectSize", report);
  }
}

void lint_weights(const judge::kayenta::CanaryConfig& config, api::LintReport& report) {
  std::set<std::string> groups;
  bool whole = true;
  for (const auto& metric : config.metrics)
    for (const std::string& group : metric.groups) {
      groups.insert(group);
      whole = whole && config.group_weights.contains(group);
    }
  double sum = 0;
  for (const auto& [group, weight] : config.group_weights) {
    sum += weight;
    if (!groups.contains(group))
      report.warning(fmt::format("classifier.groupWeights.{}", group),
                     fmt::format("no metric is in \"{}\": its {} are lost, and the score cannot "
                                 "reach 100",
                                 group, weight));
  }
  if (!config.group_weights.empty() && (sum > kWholeWeight || (whole && sum < kWholeWeight)))
    report.warning("classifier.groupWeights",
                   fmt::format("weights add up to {}, not to {}", sum, kWholeWeight));
}

void lint_thresholds(const judge::kayenta::CanaryConfig& config, api::LintReport& report) {
  const auto& [pass, marginal] = config.thresholds;
  if (marginal > pass)
    report.error("classifier.scoreThresholds",
                 fmt::format("marginal ({}) is above pass ({})", marginal, pass));
  for (const auto& [name, value] : {std::pair("pass", pass), std::pair("marginal", marginal)})
    if (!(value >= 0 && value <= 100))
      report.error(fmt::format("classifier.scoreThresholds.{}", name),
                   fmt::format("{} is not a score; write a number from 0 to 100", value));
}

void lint_config(const json::Value& config, api::LintReport& report) {
  auto read = judge::kayenta::read_config(config);
  if (!read) return report.error(read.error().where, read.error().message);
  const std::string_view judge = json::string_at(config, {"judge", "name"});
  if (!judge.empty() && judge != kJudge)
    report.warning("judge.name", fmt::format("\"{}\" is not known here; {} judges", judge, kJudge));
  lint_thresholds(*read, report);
  lint_weights(*read, report);
  const json::Array& metrics = json::at(config, {"metrics"})->get_array();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string path = fmt::format("metrics[{}]", i);
    if (read->metrics[i].groups.empty())
      report.warning(path, "is in no group, so it is judged and not scored; give it groups");
    lint_classification(metrics[i], path, report);
    lint_query(metrics[i], config, path, report);
  }
}

}  // namespace

std::vector<api::Problem> lint_kayenta(const yaml::Document& document) {
  if (!is_kayenta_config(document.value)) return {};
  const json::Value* inner = json::at(document.value, {"canaryConfig"});
  const bool wrapped = inner != nullptr && inner->is_object();
  api::LintReport report(document, wrapped ? "canaryConfig" : "");
  lint_config(wrapped ? *inner : document.value, report);
  return report.problems();
}

}  // namespace slipway::analysis
