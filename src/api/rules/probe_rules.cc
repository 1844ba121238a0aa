#include <fmt/format.h>

#include "api/rules/kind_rules.h"

// Kubernetes' validation of probes and life-cycle hooks.
namespace slipway::api {

namespace {

void check_http_get(const Place& action, Findings& findings) {
  if (action["path"].empty()) findings.required(action["path"].path());
  check_port(action["port"], findings);
}

void check_sleep(const Place& sleep, const PodContext& context, Findings& findings) {
  const std::int64_t seconds = sleep["seconds"].integer();
  if (context.grace_seconds && (seconds < 0 || seconds > *context.grace_seconds))
    findings.invalid(
        sleep.path(), json::Value(seconds),
        fmt::format("must be non-negative and less than terminationGracePeriodSeconds ({})",
                    *context.grace_seconds));
}

void check_handler(const Place& handler, const PodContext& context, Findings& findings) {
  int handlers = 0;
  for (const std::string_view kind : {"exec", "httpGet", "tcpSocket", "grpc", "sleep"}) {
    const Place action = handler[kind];
    if (!action.present()) continue;
    if (++handlers > 1) {
      findings.forbidden(action.path(), "may not specify more than 1 handler type");
    } else if (kind == "exec") {
      if (action["command"].size() == 0) findings.required(action["command"].path());
    } else if (kind == "httpGet") {
      check_http_get(action, findings);
    } else if (kind == "sleep") {
      check_sleep(action, context, findings);
    } else {
      check_port(action["port"], findings);
    }
  }
  if (handlers == 0) findings.required(handler.path(), "must specify a handler type");
}

void check_probe(const Place& probe, const PodContext& context, Findings& findings) {
  check_handler(probe, context, findings);
  for (const std::string_view field : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                       "successThreshold", "failureThreshold"})
    check_not_negative(probe[field], findings);
  const Place grace = probe["terminationGracePeriodSeconds"];
  if (grace.present() && grace.integer() <= 0)
    findings.invalid(grace.path(), grace.value(), "must be greater than 0");
}

}  // namespace

void check_probes(const Place& container, const PodContext& context, Findings& findings) {
  for (const std::string_view hook : {"postStart", "preStop"})
    if (container["lifecycle"][hook].present())
      check_handler(container["lifecycle"][hook], context, findings);
  for (const std::string_view kind : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    const Place probe = container[kind];
    if (!probe.present()) continue;
    check_probe(probe, context, findings);
    const Place successes = probe["successThreshold"];
    if (kind != "readinessProbe" && successes.integer(1) != 1)
      findings.invalid(successes.path(), successes.value(), "must be 1");
    const Place grace = probe["terminationGracePeriodSeconds"];
    if (kind == "readinessProbe" && grace.present())
      findings.invalid(grace.path(), grace.value(), "must not be set for readinessProbes");
  }
}

}  // namespace slipway::api
