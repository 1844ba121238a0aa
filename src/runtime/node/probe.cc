#include "runtime/node/probe.h"

#include <algorithm>

#include "api/rules/place.h"
#include "runtime/node/order.h"

namespace slipway::runtime {

namespace {

using api::Place;

Duration seconds_of(const Place& place, std::int64_t otherwise) {
  return std::chrono::seconds(std::max<std::int64_t>(place.integer(otherwise), 0));
}

int count_of(const Place& place, int otherwise) {
  return static_cast<int>(std::clamp<std::int64_t>(place.integer(otherwise), 1, 1'000'000));
}

void read_http(const Place& get, const json::Value& container, ProbeSpec& spec) {
  spec.action = ProbeSpec::Action::kHttp;
  spec.host = get["host"].text();
  spec.port = port_of(get["port"].value(), container);
  if (!get["path"].empty()) spec.path = get["path"].text();
  if (!spec.path.starts_with('/')) spec.path.insert(0, "/");
  spec.tls = get["scheme"].text() == "HTTPS";
  for (const Place& header : get["httpHeaders"].items())
    spec.headers.emplace_back(header["name"].text(), header["value"].text());
}

}  // namespace

std::string_view to_string(ProbeKind kind) {
  return kind == ProbeKind::kStartup     ? "Startup"
         : kind == ProbeKind::kReadiness ? "Readiness"
                                         : "Liveness";
}

std::optional<ProbeSpec> parse_probe(const json::Value& container, ProbeKind kind) {
  const Place probe = Place(&container, "")[kind == ProbeKind::kStartup     ? "startupProbe"
                                            : kind == ProbeKind::kReadiness ? "readinessProbe"
                                                                            : "livenessProbe"];
  if (!probe.present()) return std::nullopt;
  ProbeSpec spec;
  if (const Place exec = probe["exec"]; exec.present()) {
    for (const Place& word : exec["command"].items()) spec.argv.emplace_back(word.text());
  } else if (const Place get = probe["httpGet"]; get.present()) {
    read_http(get, container, spec);
  } else if (const Place tcp = probe["tcpSocket"]; tcp.present()) {
    spec.action = ProbeSpec::Action::kTcp;
    spec.host = tcp["host"].text();
    spec.port = port_of(tcp["port"].value(), container);
  } else {
    spec.action = ProbeSpec::Action::kGrpc;
  }
  spec.initial_delay = seconds_of(probe["initialDelaySeconds"], 0);
  spec.timeout =
      std::max<Duration>(seconds_of(probe["timeoutSeconds"], 1), std::chrono::seconds(1));
  spec.period = std::max<Duration>(seconds_of(probe["periodSeconds"], 10), std::chrono::seconds(1));
  spec.success_threshold = count_of(probe["successThreshold"], 1);
  spec.failure_threshold = count_of(probe["failureThreshold"], 3);
  if (const Place grace = probe["terminationGracePeriodSeconds"]; grace.present())
    spec.grace_seconds = grace.integer();
  return spec;
}

void ProbeCount::add(bool success) {
  if (is_over()) return;
  streak_ = streak_ > 0 && success == last_ ? streak_ + 1 : 1;
  last_ = success;
  if (streak_ < (success ? success_threshold_ : failure_threshold_)) return;
  passed_ = success;
  must_die_ = !success && kind_ != ProbeKind::kReadiness;
}

}  // namespace slipway::runtime
