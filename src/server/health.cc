#include "server/health.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/status.h"

namespace slipway::server {
namespace {

std::vector<HealthCheck> checks_of(std::string_view endpoint, const std::vector<HealthCheck>& all) {
  std::vector<HealthCheck> checks = {
      {.name = "ping", .check = [] { return Result<>(); }, .liveness = true}};
  for (const auto& check : all)
    if (endpoint != "livez" || check.liveness) checks.push_back(check);
  return checks;
}

bool excluded(const http::Request& request, const std::string& name) {
  return std::ranges::any_of(request.target.query, [&](const auto& parameter) {
    return parameter.first == "exclude" && parameter.second == name;
  });
}

http::Response all_checks(const http::Request& request, std::string_view endpoint,
                          const std::vector<HealthCheck>& checks) {
  std::string report;
  bool well = true;
  for (const auto& check : checks) {
    if (excluded(request, check.name)) {
      report += fmt::format("[+]{} excluded: ok\n", check.name);
      continue;
    }
    auto result = check.check();
    report += result ? fmt::format("[+]{} ok\n", check.name)
                     : fmt::format("[-]{} failed: {}\n", check.name, result.error().text());
    well = well && result.has_value();
  }
  if (!well) return text_response(500, report + fmt::format("{} check failed\n", endpoint));
  if (request.target.find("verbose"))
    return text_response(200, report + fmt::format("{} check passed\n", endpoint));
  return text_response(200, "ok");
}

}  // namespace

std::optional<http::Response> health(const http::Request& request,
                                     const std::vector<HealthCheck>& all) {
  std::string_view path = request.target.path;
  for (std::string_view endpoint : {"healthz", "livez", "readyz"}) {
    if (!path.starts_with(fmt::format("/{}", endpoint))) continue;
    auto rest = path.substr(endpoint.size() + 1);
    auto checks = checks_of(endpoint, all);
    if (rest.empty() || rest == "/") return all_checks(request, endpoint, checks);
    if (!rest.starts_with('/')) return std::nullopt;
    for (const auto& check : checks) {
      if (check.name != rest.substr(1)) continue;
      auto result = check.check();
      return result ? text_response(200, "ok") : text_response(500, result.error().text() + "\n");
    }
    return unknown_path();
  }
  return std::nullopt;
}

}  // namespace slipway::server
