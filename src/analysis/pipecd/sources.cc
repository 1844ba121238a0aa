#include <fmt/format.h>

#include <algorithm>

#include "analysis/pipecd/context.h"
#include "base/base64.h"

// Where checks are asked: analysis providers of the piped configuration as our own.
namespace slipway::analysis::pipecd {

namespace {

using api::argo::SourceMetric;

Result<const AnalysisProvider*> find_provider(const Context& context, const Check& check) {
  const std::string field = check.field + ".provider";
  const auto found = std::ranges::find(context.providers, check.provider, &AnalysisProvider::name);
  if (found != context.providers.end()) return &*found;
  if (!context.has_piped)
    return fail(ErrorCode::kInvalid,
                fmt::format("the provider \"{}\" is in no file given; give the piped "
                            "configuration with --providers FILE",
                            check.provider),
                field);
  std::string known;
  for (const AnalysisProvider& one : context.providers)
    known += (known.empty() ? "" : ", ") + one.name;
  return fail(ErrorCode::kInvalid,
              fmt::format("the piped configuration has no analysis provider \"{}\"; it has {}",
                          check.provider, known.empty() ? "none" : known),
              field);
}

// Sites are names such as datadoghq.eu; a whole address, which PipeCD fails at, is taken as it is.
std::string datadog_address(const std::string& site) {
  if (site.find("://") != std::string::npos) return site;
  return fmt::format("https://api.{}", site.empty() ? "datadoghq.com" : site);
}

void add_datadog_keys(const AnalysisProvider& provider, SourceMetric& source, Compiled& compiled) {
  CompiledSecret secret{.name = as_name(compiled.name + "-" + provider.name)};
  for (const auto& [ours, theirs] :
       {std::pair("datadog_api_key", "api"), std::pair("datadog_application_key", "application")}) {
    if (const auto file = provider.files.find(theirs); file != provider.files.end())
      source.files.emplace(ours, file->second);
    if (const auto data = provider.data.find(theirs); data != provider.data.end())
      secret.data.emplace(ours, base64_decode(data->second).value_or(""));
  }
  if (secret.data.empty()) return;
  source.secret_ref = api::argo::SourceSecret{.name = secret.name};
  if (std::ranges::find(compiled.secrets, secret.name, &CompiledSecret::name) ==
      compiled.secrets.end())
    compiled.secrets.push_back(std::move(secret));
}

}  // namespace

Result<SourceMetric> metric_source(const Context& context, const Check& check, Compiled& compiled) {
  auto provider = find_provider(context, check);
  if (!provider) return std::unexpected(std::move(provider).error());
  SourceMetric source{.reading = "pipecd",
                      .interval = as_text(check.interval),
                      .window = as_text(check.interval),
                      .step = as_text(step_of(check.interval)),
                      .timeout = as_text(check.timeout)};
  const AnalysisProvider& found = **provider;
  if (found.type == "DATADOG") {
    source.type = "datadog";
    source.address = datadog_address(found.address);
    add_datadog_keys(found, source, compiled);
    return source;
  }
  if (found.type != "PROMETHEUS")
    return fail(ErrorCode::kInvalid,
                fmt::format("the provider \"{}\" is {}, which has logs and no metrics",
                            check.provider, found.type),
                check.field + ".provider");
  source.type = "prometheus";
  source.address = found.address;
  // One without the other is no authentication.
  if (found.files.contains("username") && found.files.contains("password"))
    for (const char* key : {"username", "password"}) source.files.emplace(key, found.files.at(key));
  return source;
}

Result<SourceMetric> log_source(const Context& context, const LogCheck& log) {
  auto provider = find_provider(context, log);
  if (!provider) return std::unexpected(std::move(provider).error());
  if ((*provider)->type != "STACKDRIVER")
    return fail(ErrorCode::kInvalid,
                fmt::format("the provider \"{}\" is {}, which has no logs; name one of type "
                            "STACKDRIVER",
                            log.provider, (*provider)->type),
                log.field + ".provider");
  SourceMetric source{.type = "google_logs",
                      .query = log.query,
                      .reading = "pipecd",
                      .interval = as_text(log.interval),
                      .window = as_text(log.interval),
                      .timeout = as_text(log.timeout)};
  if (const auto file = (*provider)->files.find("account"); file != (*provider)->files.end())
    source.files.emplace("serviceAccountKey", file->second);
  return source;
}

SourceMetric http_source(const HttpCheck& http) {
  SourceMetric source{.type = "http_check",
                      .address = http.query,
                      .query = http.method.empty() ? "GET" : http.method,
                      .reading = "pipecd",
                      .interval = as_text(http.interval),
                      .timeout = as_text(http.timeout)};
  if (!http.expected_response.empty()) source.query += "\n" + http.expected_response;
  for (const auto& [key, value] : http.headers) source.headers.push_back({key, value});
  return source;
}

}  // namespace slipway::analysis::pipecd
