#include <fmt/format.h>

#include <algorithm>

#include "analysis/pipecd/config.h"
#include "base/base64.h"

// Application files, AnalysisTemplate files and piped configurations.
namespace slipway::analysis::pipecd {

namespace {

using Severity = Report::Severity;

// What a v0 pipeline may hold. K8S_SYNC and ROLLBACK are planned by PipeCD itself.
constexpr std::string_view kStageNames[] = {"WAIT",
                                            "WAIT_APPROVAL",
                                            "ANALYSIS",
                                            "SCRIPT_RUN",
                                            "CUSTOM_SYNC",
                                            "K8S_PRIMARY_ROLLOUT",
                                            "K8S_CANARY_ROLLOUT",
                                            "K8S_CANARY_CLEAN",
                                            "K8S_BASELINE_ROLLOUT",
                                            "K8S_BASELINE_CLEAN",
                                            "K8S_TRAFFIC_ROUTING",
                                            "TERRAFORM_SYNC",
                                            "TERRAFORM_PLAN",
                                            "TERRAFORM_APPLY",
                                            "CLOUDRUN_SYNC",
                                            "CLOUDRUN_PROMOTE",
                                            "LAMBDA_SYNC",
                                            "LAMBDA_CANARY_ROLLOUT",
                                            "LAMBDA_PROMOTE",
                                            "ECS_SYNC",
                                            "ECS_CANARY_ROLLOUT",
                                            "ECS_PRIMARY_ROLLOUT",
                                            "ECS_CANARY_CLEAN",
                                            "ECS_TRAFFIC_ROUTING"};

// apiVersion, kind and spec, and nothing else.
Fields read_head(const Fields& root) {
  root.expect_only({"apiVersion", "kind", "spec"}, Severity::kError);
  if (const std::string version = root.text("apiVersion"); version != kApiVersion)
    root.report().error(
        root.path_of("apiVersion"),
        fmt::format("\"{}\" is no version of PipeCD's files; write {}", version, kApiVersion));
  return root.object("spec");
}

Stage read_stage(const Fields& fields, std::size_t index, bool plugins) {
  fields.expect_only({"id", "name", "desc", "timeout", "with", "skipOn"}, Severity::kWarning);
  Stage stage{.id = fields.text("id"), .name = fields.text("name"), .field = fields.path()};
  if (stage.id.empty()) stage.id = fmt::format("stage-{}", index);
  (void)fields.duration("timeout");
  if (!plugins && std::ranges::find(kStageNames, stage.name) == std::end(kStageNames))
    fields.report().error(fields.path_of("name"),
                          stage.name.empty()
                              ? "is missing; write the stage's name, such as ANALYSIS"
                              : fmt::format("unsupported stage name: {}", stage.name));
  const Fields with = fields.object("with");
  if (stage.name == "ANALYSIS") stage.analysis = read_analysis(with);
  if (stage.name == "K8S_CANARY_ROLLOUT" || stage.name == "K8S_BASELINE_ROLLOUT")
    stage.amount = with.amount("replicas");
  if (stage.name == "K8S_TRAFFIC_ROUTING") {
    stage.amount = with.amount("canary");
    if (with.text("all") == "canary") stage.amount = Fields::Amount{100, true};
  }
  return stage;
}

void read_provider_config(const Fields& config, AnalysisProvider& provider) {
  provider.address = config.text("address");
  for (const auto& [key, name] :
       {std::pair("username", "usernameFile"), std::pair("password", "passwordFile"),
        std::pair("api", "apiKeyFile"), std::pair("application", "applicationKeyFile"),
        std::pair("account", "serviceAccountFile")})
    if (std::string path = config.text(name); !path.empty())
      provider.files.emplace(key, std::move(path));
  for (const auto& [key, name] :
       {std::pair("api", "apiKeyData"), std::pair("application", "applicationKeyData")})
    if (std::string data = config.text(name); !data.empty())
      provider.data.emplace(key, std::move(data));
}

void check_key(const Fields& config, const AnalysisProvider& provider, const std::string& key) {
  const bool file = provider.files.contains(key), data = provider.data.contains(key);
  if (file == data)
    config.report().error(config.path_of(key + "KeyFile"),
                          fmt::format("{} of {}KeyFile and {}KeyData; write one",
                                      file ? "both" : "neither", key, key));
  // The message of the decoder holds a byte of the key: only that it is wrong is said.
  if (data && !base64_decode(provider.data.at(key)))
    config.report().error(config.path_of(key + "KeyData"), "is no base64");
}

AnalysisProvider read_provider(const Fields& fields) {
  AnalysisProvider provider{
      .field = fields.path(), .name = fields.text("name"), .type = fields.text("type")};
  const Fields config = fields.object("config");
  read_provider_config(config, provider);
  if (provider.type == "PROMETHEUS") {
    if (provider.address.empty())
      fields.report().error(config.path_of("address"),
                            "is missing; write where Prometheus is, such as http://host:9090");
  } else if (provider.type == "DATADOG") {
    check_key(config, provider, "api");
    check_key(config, provider, "application");
  } else if (provider.type != "STACKDRIVER") {
    fields.report().error(fields.path_of("type"),
                          fmt::format("\"{}\" is no type of analysis provider; write PROMETHEUS, "
                                      "DATADOG or STACKDRIVER",
                                      provider.type));
  }
  return provider;
}

}  // namespace

bool is_application_kind(std::string_view kind) {
  constexpr std::string_view kKinds[] = {"KubernetesApp", "TerraformApp", "CloudRunApp",
                                         "LambdaApp",     "ECSApp",       kPluginApplication};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

Application read_application(const Fields& root) {
  const Fields spec = read_head(root);
  Application application{.kind = root.text("kind"), .name = spec.text("name")};
  // PipeCD v1 knows its own files by their kind, and those of before by their plugins.
  const bool plugins = application.kind == kPluginApplication || spec.has("plugins");
  check_application_keys(spec, plugins ? kPluginApplication : application.kind);
  if (plugins) {
    application.app_args = spec.object("plugins").object("analysis").args("appCustomArgs");
    const auto found = application.app_args.find("k8sNamespace");
    if (found != application.app_args.end()) application.namespace_ = found->second;
  } else if (application.kind == "KubernetesApp") {
    application.namespace_ = spec.object("input").text("namespace");
    if (application.namespace_.empty()) application.namespace_ = "default";
  }
  for (const Fields& stage : spec.object("pipeline").list("stages"))
    application.stages.push_back(read_stage(stage, application.stages.size(), plugins));
  return application;
}

void read_templates(const Fields& root, TemplateSet& into) {
  const Fields spec = read_head(root);
  spec.expect_only({"metrics", "logs", "https"}, Severity::kError);
  for (const auto& [name, fields] : spec.objects("metrics"))
    into.metrics.emplace(name, read_metric(fields, true));
  for (const auto& [name, fields] : spec.objects("logs"))
    into.logs.emplace(name, read_log(fields, true));
  for (const auto& [name, fields] : spec.objects("https"))
    into.https.emplace(name, read_http(fields, true));
}

std::vector<AnalysisProvider> read_providers(const Fields& root) {
  const Fields spec = read_head(root);
  std::vector<AnalysisProvider> providers;
  for (const Fields& one : spec.list("analysisProviders")) providers.push_back(read_provider(one));
  // PipeCD v1 has them in the configuration of its plugin.
  for (const Fields& plugin : spec.list("plugins")) {
    if (plugin.text("name") != "analysis") continue;
    for (const Fields& one : plugin.object("config").list("analysisProviders"))
      providers.push_back(read_provider(one));
  }
  return providers;
}

}  // namespace slipway::analysis::pipecd
