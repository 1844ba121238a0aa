#include "analysis/kayenta/compile_kayenta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/kayenta/looks.h"
#include "judge/kayenta/config.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

constexpr std::size_t kMaxName = 63;

// Names of configurations may hold what names of objects may not.
std::string object_name(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, kMaxName)) {
    const auto byte = static_cast<unsigned char>(c);
    out += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '-';
  }
  while (out.starts_with('-')) out.erase(0, 1);
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "canary" : out;
}

const json::Value& config_in(const json::Value& document) {
  const json::Value* inner = json::at(document, {"canaryConfig"});
  return inner != nullptr && inner->is_object() ? *inner : document;
}

const json::Value* request_in(const json::Value& document) {
  for (const std::string_view name : {"executionRequest", "canaryAnalysisExecutionRequest"})
    if (const json::Value* found = json::at(document, {name})) return found;
  return nullptr;
}

const KayentaScopes& scopes_for(const KayentaOptions& options, std::string_view name) {
  static const KayentaScopes kNone;
  auto found = options.scopes.find(std::string(name));
  if (found == options.scopes.end()) found = options.scopes.find("default");
  return found == options.scopes.end() ? kNone : found->second;
}

Result<SourceMetric> source_for(const KayentaOptions& options, std::string_view type,
                                KayentaQuery query, const std::string& where) {
  auto given = options.sources.find(std::string(type));
  if (given == options.sources.end()) given = options.sources.find("");
  SourceMetric source = given == options.sources.end() ? SourceMetric{} : given->second;
  const auto known = std::ranges::find(kayenta_types(), type, &KayentaType::type);
  if (source.address.empty() && known->needs_address)
    return fail(
        ErrorCode::kInvalid,
        fmt::format("nothing says where \"{0}\" is; give the argument {0}.address=http://…", type),
        where);
  source.type = std::move(query.provider);
  source.query = std::move(query.text);
  return source;
}

std::int64_t seconds_of(Duration duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

Result<CompareSide> side_for(const json::Object& query, const json::Value& config,
                             const KayentaScope& scope, const KayentaOptions& options,
                             const std::string& where) {
  auto text =
      kayenta_query(query, json::at(config, {"templates"}), scope, seconds_of(options.step), where);
  if (!text) return std::unexpected(std::move(text).error());
  auto source = source_for(options, json::string_at(query, {"type"}), std::move(*text), where);
  if (!source) return std::unexpected(std::move(source).error());
  CompareSide side;
  side.source = std::move(*source);
  return side;
}

Result<ScoredPair> pair_for(const json::Value& metric, const json::Value& config,
                            const KayentaOptions& options, const std::string& where) {
  const json::Value* query = json::at(metric, {"query"});
  if (query == nullptr || !query->is_object())
    return fail(ErrorCode::kInvalid, "is missing; a metric needs a query", where + ".query");
  const std::string_view scope = json::string_at(metric, {"scopeName"});
  const KayentaScopes& scopes = scopes_for(options, scope.empty() ? "default" : scope);
  const std::string place = where + ".query";
  auto control = side_for(query->get_object(), config, scopes.control, options, place);
  if (!control) return std::unexpected(std::move(control).error());
  auto experiment = side_for(query->get_object(), config, scopes.experiment, options, place);
  if (!experiment) return std::unexpected(std::move(experiment).error());
  return ScoredPair{.name = std::string(json::string_at(metric, {"name"})),
                    .control = std::move(*control),
                    .experiment = std::move(*experiment)};
}

Result<std::vector<ScoredPair>> pairs_of(const json::Value& config, const KayentaOptions& options) {
  std::vector<ScoredPair> pairs;
  const json::Array& metrics = json::at(config, {"metrics"})->get_array();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    auto pair = pair_for(metrics[i], config, options, fmt::format("metrics[{}]", i));
    if (!pair) return std::unexpected(std::move(pair).error());
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

std::vector<std::string> warnings_for(const std::vector<ScoredPair>& pairs,
                                      const KayentaOptions& options) {
  std::vector<std::string> warnings;
  for (const ScoredPair& pair : pairs)
    if (pair.control.source->query == pair.experiment.source->query &&
        options.control_offset == Duration::zero())
      warnings.push_back(fmt::format(
          "\"{}\" asks the same of control and experiment, so they cannot differ", pair.name));
  return warnings;
}

api::GoDuration written(Duration duration) {
  return duration > Duration::zero() ? api::GoDuration{format_duration(duration)}
                                     : api::GoDuration{};
}

struct Scored {
  std::string name;
  ScoreMetric score;  // but for its window
  double pass = 0, marginal = 0;
};

Metric metric_for(const KayentaLooks& looks, std::size_t number, const Scored& scored,
                  const KayentaOptions& options) {
  Metric metric{.name = looks.last        ? scored.name
                        : looks.count > 1 ? fmt::format("{} so far", scored.name)
                                          : fmt::format("{} look {}", scored.name, number),
                .interval = written(looks.interval),
                .initial_delay = written(looks.delay),
                .count = api::IntOrString::of(looks.count)};
  ScoreMetric score = scored.score;
  score.pass = looks.last ? scored.pass : scored.marginal;
  score.marginal = scored.marginal;
  score.window = written(looks.window);
  for (ScoredPair& pair : score.pairs) {
    pair.experiment.ago = written(looks.ago);
    pair.control.ago = written(looks.ago + options.control_offset);
  }
  metric.provider.score = std::move(score);
  return metric;
}

}  // namespace

bool is_kayenta_config(const json::Value& document) {
  if (!document.is_object()) return false;
  const json::Value& config = config_in(document);
  if (config.get_object().contains("kind") || config.get_object().contains("apiVersion"))
    return false;
  const json::Value* metrics = json::at(config, {"metrics"});
  if (metrics == nullptr || !metrics->is_array())
    return config.get_object().contains("classifier") && config.get_object().contains("judge");
  return std::ranges::any_of(metrics->get_array(), [](const json::Value& metric) {
    return json::at(metric, {"analysisConfigurations"}) != nullptr ||
           !json::string_at(metric, {"query", "type"}).empty();
  });
}

Result<Compiled> compile_kayenta(const json::Value& document, const KayentaOptions& given) {
  const json::Value& config = config_in(document);
  auto judged = judge::kayenta::read_config(config);
  if (!judged) return std::unexpected(std::move(judged).error());
  KayentaOptions options = given;
  if (const json::Value* request = request_in(document))
    SLIPWAY_TRY(read_kayenta_request(*request, options));
  auto looks = plan_looks(options);
  if (!looks) return std::unexpected(std::move(looks).error());
  auto pairs = pairs_of(config, options);
  if (!pairs) return std::unexpected(std::move(pairs).error());

  Compiled out{.name = object_name(judged->name), .warnings = warnings_for(*pairs, options)};
  Scored scored{
      .name = judged->name.empty() ? out.name : judged->name,
      .score = {.config = {config}, .pairs = std::move(*pairs), .step = written(options.step)},
      .pass = options.pass.value_or(judged->thresholds.pass),
      .marginal = options.marginal.value_or(judged->thresholds.marginal)};
  for (std::size_t i = 0; i < looks->size(); ++i)
    out.spec.metrics.push_back(metric_for((*looks)[i], i + 1, scored, options));
  return out;
}

}  // namespace slipway::analysis
