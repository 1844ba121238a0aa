#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"
#include "base/quantity.h"

// Kubernetes' validation of what containers refer to: environment, resources.
namespace slipway::api {

namespace {

const std::vector<std::string> kFieldPaths = {"metadata.name",
                                              "metadata.namespace",
                                              "metadata.uid",
                                              "spec.nodeName",
                                              "spec.serviceAccountName",
                                              "status.hostIP",
                                              "status.hostIPs",
                                              "status.podIP",
                                              "status.podIPs"};
const std::vector<std::string> kResourceFields = {
    "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
    "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
constexpr std::string_view kEnvNameProblem =
    "a valid environment variable name must consist only of printable ASCII characters other than "
    "'='";

bool is_env_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~' && c != '='; });
}

void check_env_name(const Place& name, Findings& findings) {
  if (!is_env_name(name.text()))
    findings.invalid(name.path(), name.value(), std::string(kEnvNameProblem));
}

void check_field_ref(const Place& ref, Findings& findings) {
  const Place path = ref["fieldPath"];
  if (path.empty()) return findings.required(path.path());
  const std::string_view text = path.text();
  const bool subscripted = text.ends_with("']") && text.find("['") != std::string_view::npos;
  if (subscripted) {
    const std::string_view field = text.substr(0, text.find("['"));
    if (field != "metadata.labels" && field != "metadata.annotations")
      findings.invalid(ref.path(), json::Value(field), "does not support subscript");
  } else if (std::ranges::find(kFieldPaths, text) == kFieldPaths.end()) {
    findings.invalid(
        path.path(), path.value(),
        fmt::format("error converting fieldPath: field label not supported: {}", text));
  }
}

void check_key_ref(const Place& ref, Findings& findings) {
  if (std::string problem = dns_subdomain_problem(ref["name"].text()); !problem.empty())
    findings.invalid(ref["name"].path(), json::Value(ref["name"].text()), std::move(problem));
  check_name(ref["key"], config_key_problem, findings);
}

void check_env_source(const Place& env, Findings& findings) {
  const Place from = env["valueFrom"];
  if (!from.present()) return;
  int sources = 0;
  for (const std::string_view kind :
       {"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"}) {
    const Place source = from[kind];
    if (!source.present()) continue;
    ++sources;
    if (kind == "fieldRef") check_field_ref(source, findings);
    if (kind == "configMapKeyRef" || kind == "secretKeyRef") check_key_ref(source, findings);
    if (kind == "resourceFieldRef" && source["resource"].empty())
      findings.required(source["resource"].path());
    if (kind == "resourceFieldRef" && !source["resource"].empty() &&
        source["resource"].text().find(".hugepages-") == std::string_view::npos)
      check_one_of(source["resource"], kResourceFields, findings);
  }
  if (sources == 0) {
    findings.invalid(
        from.path(), "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
  } else if (!env["value"].empty()) {
    findings.invalid(from.path(), "", "may not be specified when `value` is not empty");
  } else if (sources > 1) {
    findings.invalid(from.path(), "", "may not have more than one field specified at a time");
  }
}

void check_env_from(const Place& list, Findings& findings) {
  for (const Place& source : list.items()) {
    if (!source["prefix"].empty()) check_env_name(source["prefix"], findings);
    int sources = 0;
    for (const std::string_view kind : {"configMapRef", "secretRef"}) {
      if (!source[kind].present()) continue;
      ++sources;
      check_name(source[kind]["name"], dns_subdomain_problem, findings);
    }
    if (sources == 0)
      findings.invalid(list.path(), "", "must specify one of: `configMapRef` or `secretRef`");
    if (sources > 1)
      findings.invalid(list.path(), "", "may not have more than one field specified at a time");
  }
}

bool is_container_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         name.starts_with("hugepages-");
}
// Known names, though not for containers.
bool is_quota_resource(std::string_view name) {
  static constexpr std::array kNames = {
      std::string_view("storage"),    std::string_view("pods"),
      std::string_view("services"),   std::string_view("secrets"),
      std::string_view("configmaps"), std::string_view("persistentvolumeclaims")};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("requests.") ||
         name.starts_with("limits.");
}

// Resources that may be promised more than once over; others need equal requests and limits.
bool may_overcommit(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos ||
                      name.find("kubernetes.io/") != std::string_view::npos;
  return native && !name.starts_with("hugepages-");
}

void check_amounts(const Place& amounts, Findings& findings) {
  for (const std::string_view name : amounts.keys()) {
    const Place amount = amounts.key(name);
    if (std::string problem = qualified_name_problem(name); !problem.empty()) {
      findings.invalid(amount.path(), json::Value(name), std::move(problem));
    } else if (name.find('/') == std::string_view::npos && !is_container_resource(name)) {
      if (!is_quota_resource(name))
        findings.invalid(amount.path(), json::Value(name),
                         "must be a standard resource type or fully qualified");
      findings.invalid(amount.path(), json::Value(name),
                       "must be a standard resource for containers");
    }
    const Result<Quantity> quantity = Quantity::parse(amount.text());
    if (quantity && quantity->sign() < 0)
      findings.invalid(amount.path(), amount.value(), "must be greater than or equal to 0");
  }
}

}  // namespace

void check_env(const Place& container, Findings& findings) {
  for (const Place& env : container["env"].items()) {
    if (env["name"].empty()) {
      findings.required(env["name"].path());
    } else {
      check_env_name(env["name"], findings);
    }
    check_env_source(env, findings);
  }
  check_env_from(container["envFrom"], findings);
}

void check_resources(const Place& resources, Findings& findings) {
  const Place limits = resources["limits"];
  const Place requests = resources["requests"];
  check_amounts(limits, findings);
  check_amounts(requests, findings);
  for (const std::string_view name : requests.keys()) {
    const Result<Quantity> request = Quantity::parse(requests.key(name).text());
    const Result<Quantity> limit = Quantity::parse(limits.key(name).text());
    if (!limits.key(name).present()) {
      if (!may_overcommit(name))
        findings.required(limits.path(), "Limit must be set for non overcommitable resources");
    } else if (request && limit && request->compare(*limit) != 0 && !may_overcommit(name)) {
      findings.invalid(requests.path(), requests.key(name).value(),
                       fmt::format("must be equal to {} limit of {}", name, limit->canonical()));
    } else if (request && limit && request->compare(*limit) > 0) {
      findings.invalid(
          requests.path(), requests.key(name).value(),
          fmt::format("must be less than or equal to {} limit of {}", name, limit->canonical()));
    }
  }
}

}  // namespace slipway::api
