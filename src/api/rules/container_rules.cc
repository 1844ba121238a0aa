#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"

// Kubernetes' validation of containers.
namespace slipway::api {

namespace {

void check_ports(const Place& ports, Findings& findings) {
  std::set<std::string, std::less<>> names;
  for (const Place& port : ports.items()) {
    const Place name = port["name"];
    if (!name.empty()) {
      const std::vector<std::string> problems = port_name_problems(name.text());
      for (const std::string& problem : problems)
        findings.invalid(name.path(), name.value(), problem);
      if (problems.empty() && !names.emplace(name.text()).second)
        findings.duplicate(name.path(), name.value());
    }
    if (port["containerPort"].integer() == 0) {
      findings.required(port["containerPort"].path());
    } else {
      check_port_number(port["containerPort"], findings);
    }
    if (port["hostPort"].integer() != 0) check_port_number(port["hostPort"], findings);
    if (port["protocol"].empty()) findings.required(port["protocol"].path());
  }
}

void check_mounts(const Place& mounts, const PodContext& context, Findings& findings) {
  std::set<std::string, std::less<>> paths;
  for (const Place& mount : mounts.items()) {
    const Place name = mount["name"];
    const Place path = mount["mountPath"];
    if (name.empty()) findings.required(name.path());
    if (std::ranges::find(context.volumes, name.text()) == context.volumes.end())
      not_found(name, findings);
    if (path.empty()) findings.required(path.path());
    if (!paths.emplace(path.text()).second)
      findings.invalid(path.path(), json::Value(path.text()), "must be unique");
    const Place sub = mount["subPath"];
    check_path_below(sub, mounts.path() + ".subPath", findings);
    const Place expression = mount["subPathExpr"];
    if (!expression.empty() && !sub.empty())
      findings.invalid(expression.path(), expression.value(),
                       "subPathExpr and subPath are mutually exclusive");
    check_path_below(expression, mounts.path() + ".subPathExpr", findings);
  }
}

void check_container(const Place& container, const PodContext& context, Findings& findings) {
  check_name(container["name"], dns_label_problem, findings);
  if (container["image"].empty()) findings.required(container["image"].path());
  check_ports(container["ports"], findings);
  check_env(container, findings);
  check_mounts(container["volumeMounts"], context, findings);
  check_resources(container["resources"], findings);
}

// Init containers that run to their end have no probes and no hooks.
void check_init_container(const Place& container, const PodContext& context, Findings& findings) {
  const Place policy = container["restartPolicy"];
  if (policy.present()) check_one_of(policy, {"Always"}, findings);
  if (policy.text() == "Always") return check_probes(container, context, findings);
  for (const std::string_view field :
       {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"})
    if (container[field].present())
      findings.forbidden(container[field].path(),
                         "may not be set for init containers without restartPolicy=Always");
}

void check_host_ports(const Place& containers, Findings& findings) {
  std::set<std::string> used;
  for (const Place& container : containers.items())
    for (const Place& port : container["ports"].items()) {
      const Place host = port["hostPort"];
      if (host.integer() == 0) continue;
      std::string key =
          fmt::format("{}/{}/{}", port["protocol"].text(), port["hostIP"].text(), host.integer());
      if (!used.insert(key).second) findings.duplicate(host.path(), json::Value(key));
    }
}

}  // namespace

void check_containers(const Place& containers, bool init, PodContext& context, Findings& findings) {
  if (!init && containers.size() == 0) return findings.required(containers.path());
  for (const Place& container : containers.items()) {
    check_container(container, context, findings);
    const Place name = container["name"];
    if (std::ranges::find(context.taken, name.text()) != context.taken.end()) {
      findings.duplicate(name.path(), json::Value(name.text()));
    } else if (!init || !name.empty()) {
      context.taken.emplace_back(name.text());
    }
    if (init) {
      check_init_container(container, context, findings);
    } else {
      check_probes(container, context, findings);
      if (container["restartPolicy"].present())
        findings.forbidden(container["restartPolicy"].path(),
                           "may not be set for non-init containers");
    }
  }
  if (!init) check_host_ports(containers, findings);
}

}  // namespace slipway::api
