#include "cli/evidence_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "metrics/provider_spec.h"

namespace slipway::cli {

namespace {

std::string provider_help() {
  return fmt::format("what kind of source it is: {}",
                     fmt::join(metrics::known_provider_types(), ", "));
}

void add_query(CommandLine& line, QueryOptions& o) {
  auto* command = line.add(
      "query", "ask a metric source one question; needs no server",
      "  slipway query --provider prometheus --address http://localhost:9090 'sum(rate(x[1m]))'\n"
      "  slipway query --provider prometheus --address http://localhost:9090 --range 10m --step "
      "30s up\n"
      "  slipway query --provider datadog --secret datadog.env --range 5m "
      "'avg:system.cpu.user{*}'\n"
      "  slipway query --provider web --address https://example.com/health '{$.errors}'\n"
      "  slipway query --provider prometheus --address http://localhost:9090",
      [&o] { return query(o); });
  auto* provider = command->add_option("--provider", o.provider, provider_help());
  line.only(provider, metrics::known_provider_types());
  line.need(command, provider,
            "say what to ask with --provider; for example: slipway query --provider prometheus "
            "--address http://localhost:9090 up");
  command->add_option("--address", o.address, "URL of the source");
  command->add_option("query", o.query,
                      "as the source takes it; without one, whether the source answers at all");
  command->add_option("--range", o.range, "values over this long, 10m; default: one instant");
  command->add_option("--step", o.step, "between values of a range; default 1m");
  command->add_option("--at", o.at, "RFC 3339 or seconds since 1970; default: now");
  command->add_option("--header", o.headers, "name=value of the request, or name=@FILE (repeat it)")
      ->allow_extra_args(false);
  command->add_option("--secret", o.secret,
                      "file of credentials: a Secret, YAML, JSON or lines of key=value");
  command->add_option("--region", o.region, "of cloudwatch");
  command->add_option("--timeout", o.timeout, "how long to wait")->capture_default_str();
  command->add_flag("--insecure", o.insecure, "do not check certificates");
  line.add_server_flags(command, o.server);
  line.add_output(command, o.output, {"json", "yaml"});
}

void add_analyze(CommandLine& line, AnalyzeOptions& o) {
  auto* command = line.add(
      "analyze", "run an analysis now and end with its verdict; needs no server",
      "  slipway analyze -f analysis-template.yaml --arg service-name=web\n"
      "  slipway analyze -f canary.yaml -f metric-templates/ --report verdict.html\n"
      "  slipway analyze -f app.pipecd.yaml --providers piped.yaml --history web.history.json\n"
      "  slipway analyze -f canary-config.json --arg address=http://prometheus:9090 --arg "
      "controlScope=web-1 --arg experimentScope=web-2\n"
      "  slipway analyze --replay run.json -f stricter.yaml",
      [&o] { return analyze(o); });
  command->add_option("-f,--filename", o.files,
                      "AnalysisTemplates or AnalysisRuns, Canaries, PipeCD applications or Kayenta "
                      "configurations, with all they refer to: file, folder or -");
  command->add_option("--arg", o.args, "name=value of an argument (repeat it)")
      ->allow_extra_args(false);
  command->add_option("--providers", o.providers, "PipeCD's piped configuration");
  command->add_option("--history", o.history,
                      "file of earlier analyses, for PREVIOUS; a success is added");
  command->add_option("--report", o.report, "HTML page to write");
  command->add_option(
      "--replay", o.replay,
      "judge these recorded runs again (file or -), under -f if given; asks nobody");
  line.only(command->add_option("--variant", o.variant,
                                "whom PipeCD's THRESHOLD and PREVIOUS ask about: canary, baseline "
                                "or primary (default)"),
            {"canary", "baseline", "primary"});
  command->add_flag("--pipecd-compat", o.pipecd_compat,
                    "PipeCD's released test where a metric names none");
  line.add_server_flags(command, o.server);
  line.add_output(command, o.output, {"json", "yaml"});
}

}  // namespace

void add_evidence_commands(CommandLine& line, EvidenceCommands& options) {
  add_analyze(line, options.analyze);
  add_query(line, options.query);
}

}  // namespace slipway::cli
