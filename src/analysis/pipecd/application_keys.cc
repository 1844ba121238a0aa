#include "analysis/pipecd/config.h"

// Fields of an application's spec outside its stages: PipeCD refuses a file with others.
namespace slipway::analysis::pipecd {

namespace {

using Severity = Report::Severity;
using Names = std::vector<std::string_view>;

const Names kGeneric = {"name",          "labels",       "description",   "planner",
                        "commitMatcher", "pipeline",     "trigger",       "postSync",
                        "timeout",       "encryption",   "attachment",    "attachments",
                        "notification",  "eventWatcher", "driftDetection"};
const Names kKubernetes = {"input",          "quickSync",    "service",       "workloads",
                           "trafficRouting", "variantLabel", "resourceRoutes"};

void only(const Fields& fields, const Names& names) { fields.expect_only(names, Severity::kError); }

void check_trigger(const Fields& trigger) {
  only(trigger, {"onCommit", "onCommand", "onOutOfSync", "onChain"});
  only(trigger.object("onCommit"), {"disabled", "paths", "ignores"});
  only(trigger.object("onCommand"), {"disabled"});
  only(trigger.object("onOutOfSync"), {"disabled", "minWindow"});
  (void)trigger.object("onOutOfSync").duration("minWindow");
  only(trigger.object("onChain"), {"disabled"});
}

void check_generic(const Fields& spec) {
  (void)spec.args("labels");
  (void)spec.text("description");
  (void)spec.duration("timeout");
  only(spec.object("planner"), {"alwaysUsePipeline", "autoRollback"});
  only(spec.object("commitMatcher"), {"quickSync", "pipeline"});
  only(spec.object("pipeline"), {"stages"});
  check_trigger(spec.object("trigger"));
  const Fields sync = spec.object("postSync");
  only(sync, {"chain"});
  only(sync.object("chain"), {"applications"});
  for (const Fields& one : sync.object("chain").list("applications"))
    only(one, {"name", "kind", "labels"});
  only(spec.object("encryption"), {"encryptedSecrets", "decryptionTargets"});
  only(spec.object("notification"), {"mentions"});
  for (const Fields& one : spec.object("notification").list("mentions"))
    only(one, {"event", "slack", "slackUsers", "slackGroups", "email"});
}

void check_input(const Fields& input) {
  only(input, {"manifests", "kubectlVersion", "kustomizeVersion", "kustomizeOptions",
               "kustomizeDir", "helmVersion", "helmChart", "helmOptions", "namespace",
               "autoRollback", "autoCreateNamespace"});
  (void)input.boolean("autoRollback");
  (void)input.boolean("autoCreateNamespace");
  only(input.object("helmChart"), {"gitRemote", "ref", "path", "repository", "name", "version"});
  only(input.object("helmOptions"),
       {"releaseName", "valueFiles", "setFiles", "apiVersions", "kubeVersion"});
}

void check_kubernetes(const Fields& spec) {
  check_input(spec.object("input"));
  only(spec.object("quickSync"), {"addVariantLabelToSelector", "prune"});
  only(spec.object("service"), {"kind", "name"});
  for (const Fields& one : spec.list("workloads")) only(one, {"kind", "name"});
  const Fields routing = spec.object("trafficRouting");
  only(routing, {"method", "istio"});
  only(routing.object("istio"), {"editableRoutes", "host", "virtualService"});
  only(routing.object("istio").object("virtualService"), {"kind", "name"});
  only(spec.object("variantLabel"), {"key", "primaryValue", "canaryValue", "baselineValue"});
  for (const Fields& one : spec.list("resourceRoutes")) only(one, {"provider", "match"});
}

}  // namespace

void check_application_keys(const Fields& spec, std::string_view kind) {
  Names names = kGeneric;
  if (kind == kPluginApplication) {
    names.insert(names.end(), kKubernetes.begin(), kKubernetes.end());
    names.push_back("plugins");
    spec.expect_only(names, Severity::kWarning);
  } else if (kind == "KubernetesApp") {
    names.insert(names.end(), kKubernetes.begin(), kKubernetes.end());
    only(spec, names);
    check_kubernetes(spec);
  }
  check_generic(spec);
}

}  // namespace slipway::analysis::pipecd
