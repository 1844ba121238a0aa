#include <algorithm>

#include "api/rules/kind_rules.h"
#include "api/selector.h"

// Deployments, ReplicaSets and PodTemplates.
namespace slipway::api {

namespace {

void default_template(json::Object& spec) {
  json::Object* pod_template = member_object(spec, "template");
  json::Object* pod_spec = pod_template != nullptr ? member_object(*pod_template, "spec") : nullptr;
  if (pod_spec != nullptr) default_pod_spec(*pod_spec);
}

void default_replica_set(json::Object& object) {
  json::Object* spec = member_object(object, "spec");
  if (spec == nullptr) return;
  default_number(*spec, "replicas", 1);
  default_template(*spec);
}

void default_deployment(json::Object& object) {
  json::Object* spec = member_object(object, "spec");
  if (spec == nullptr) return;
  default_number(*spec, "replicas", 1);
  default_template(*spec);
  default_number(*spec, "revisionHistoryLimit", 10);
  default_number(*spec, "progressDeadlineSeconds", 600);
  json::Object* strategy = member_object(*spec, "strategy");
  if (strategy == nullptr) return;
  default_text(*strategy, "type", "RollingUpdate");
  if ((*strategy)["type"] != "RollingUpdate") return;
  json::Object* rolling = member_object(*strategy, "rollingUpdate");
  if (rolling == nullptr) return;
  default_text(*rolling, "maxUnavailable", "25%");
  default_text(*rolling, "maxSurge", "25%");
}

void check_int_or_percent(const Place& place, Findings& findings) {
  if (place.is_text() && !is_percent(place.text())) {
    findings.invalid(place.path(), place.value(), std::string(kNoPercent));
  } else {
    check_not_negative(place, findings);
  }
}

void check_strategy(const Place& strategy, Findings& findings) {
  const Place rolling = strategy["rollingUpdate"];
  if (strategy["type"].text() == "Recreate") {
    if (rolling.present())
      findings.forbidden(rolling.path(), "may not be specified when strategy `type` is 'Recreate'");
    return;
  }
  const Place unavailable = rolling["maxUnavailable"];
  const Place surge = rolling["maxSurge"];
  check_int_or_percent(unavailable, findings);
  check_int_or_percent(surge, findings);
  if (int_or_percent(unavailable.value()) == 0 && int_or_percent(surge.value()) == 0)
    findings.invalid(unavailable.path(), unavailable.value(), "may not be 0 when `maxSurge` is 0");
  if (is_percent(unavailable.text()) && int_or_percent(unavailable.value()) > 100)
    findings.invalid(unavailable.path(), unavailable.value(), "must not be greater than 100%");
}

void check_deployment(const json::Object& object, const json::Object* old, Findings& findings) {
  const Place spec = Place::of(object, "spec");
  check_not_negative(spec["replicas"], findings);
  check_selector_and_template(spec, findings);
  check_strategy(spec["strategy"], findings);
  check_not_negative(spec["minReadySeconds"], findings);
  check_not_negative(spec["revisionHistoryLimit"], findings);
  const Place deadline = spec["progressDeadlineSeconds"];
  check_not_negative(deadline, findings);
  if (deadline.present() && deadline.integer() <= spec["minReadySeconds"].integer())
    findings.invalid(deadline.path(), deadline.value(), "must be greater than minReadySeconds");
  if (old != nullptr)
    check_immutable(spec["selector"], Place::of(*old, "spec")["selector"], findings);
  check_deployment_status(object, old, findings);
}

void check_replica_set(const json::Object& object, const json::Object* old, Findings& findings) {
  const Place spec = Place::of(object, "spec");
  check_not_negative(spec["replicas"], findings);
  check_not_negative(spec["minReadySeconds"], findings);
  check_selector_and_template(spec, findings);
  if (old != nullptr)
    check_immutable(spec["selector"], Place::of(*old, "spec")["selector"], findings);
  check_replica_set_status(object, old, findings);
}

void check_expression(const Place& expression, Findings& findings) {
  const std::string_view op = expression["operator"].text();
  const Place values = expression["values"];
  if (op == "In" || op == "NotIn") {
    if (values.size() == 0)
      findings.required(values.path(), "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (values.size() > 0)
      findings.forbidden(values.path(),
                         "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else {
    findings.invalid(expression["operator"].path(), json::Value(op),
                     "not a valid selector operator");
  }
  if (std::string problem = qualified_name_problem(expression["key"].text()); !problem.empty())
    findings.invalid(expression["key"].path(), json::Value(expression["key"].text()),
                     std::move(problem));
  for (const Place& value : values.items())
    if (std::string problem = label_value_problem(value.text()); !problem.empty())
      findings.invalid(value.path(), value.value(), std::move(problem));
}

}  // namespace

void check_labels(const Place& labels, Findings& findings) {
  for (const std::string_view key : labels.keys()) {
    if (std::string problem = qualified_name_problem(key); !problem.empty())
      findings.invalid(labels.path(), json::Value(key), std::move(problem));
    if (std::string problem = label_value_problem(labels.key(key).text()); !problem.empty())
      findings.invalid(labels.path(), labels.key(key).value(), std::move(problem));
  }
}

void check_label_selector(const Place& selector, Findings& findings) {
  check_labels(selector["matchLabels"], findings);
  for (const Place& expression : selector["matchExpressions"].items())
    check_expression(expression, findings);
}

void check_pod_template(const Place& pod_template, Findings& findings) {
  check_labels(pod_template["metadata"]["labels"], findings);
  check_pod_spec(pod_template["spec"], findings);
}

void check_selector_and_template(const Place& spec, Findings& findings) {
  const Place selector = spec["selector"];
  const Place pod_template = spec["template"];
  const Place labels = pod_template["metadata"]["labels"];
  constexpr const char* kMismatch = "`selector` does not match template `labels`";
  const std::size_t before = findings.causes.size();
  if (!selector.present()) {
    findings.required(selector.path());
    findings.invalid(labels.path(), labels.value(), kMismatch);
  } else {
    check_label_selector(selector, findings);
    if (selector["matchLabels"].size() + selector["matchExpressions"].size() == 0)
      findings.invalid(selector.path(), selector.value(),
                       "empty selector is invalid for deployment");
  }
  if (findings.causes.size() == before) {
    const Result<LabelSelector> read = read_label_selector(selector.value());
    const json::Value& value = pod_template.value();
    if (!read) {
      findings.invalid(selector.path(), selector.value(), "invalid label selector");
    } else if (!read->matches(value.is_object() ? labels_of(value.get_object()) : Labels{})) {
      findings.invalid(labels.path(), labels.value(), kMismatch);
    }
  }
  check_pod_template(pod_template, findings);
  const Place policy = pod_template["spec"]["restartPolicy"];
  if (policy.present()) check_one_of(policy, {"Always"}, findings);
  if (pod_template["spec"]["activeDeadlineSeconds"].present())
    findings.forbidden(pod_template["spec"]["activeDeadlineSeconds"].path(),
                       "activeDeadlineSeconds in ReplicaSet is not Supported");
}

KindRules pod_template_rules() {
  return {.set_defaults = default_template,
          .validate = [](const json::Object& object, const json::Object*, Findings& findings) {
            check_pod_template(Place::of(object, "template"), findings);
          }};
}
KindRules deployment_rules() {
  return {.set_defaults = default_deployment, .validate = check_deployment};
}
KindRules replica_set_rules() {
  return {.set_defaults = default_replica_set, .validate = check_replica_set};
}

}  // namespace slipway::api
