#include "store/kube/exec_credential.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/json.h"

namespace slipway::store::kube {

namespace {

json::Object cluster_info(const Access& access) {
  json::Object cluster{{"server", access.server}};
  if (!access.tls.server_name.empty()) cluster["tls-server-name"] = access.tls.server_name;
  if (!access.tls.verify) cluster["insecure-skip-tls-verify"] = true;
  if (!access.tls.ca_pem.empty()) {
    cluster["certificate-authority-data"] = base64_encode(access.tls.ca_pem);
  }
  if (!access.exec->cluster_config.empty()) {
    if (Result<json::Value> config = json::read(access.exec->cluster_config)) {
      cluster["config"] = std::move(*config);
    }
  }
  return cluster;
}

std::unexpected<Error> refuse(const ExecPlugin& plugin, std::string_view why) {
  return fail(ErrorCode::kUnauthorized, fmt::format("exec plugin {} {}", plugin.command, why));
}

constexpr std::string_view kLastYear = "2262";  // Time ends within it

// The same moment of another year, to see whether the rest is a time.
std::string in_this_age(std::string_view time) {
  return time.size() < 4 ? std::string() : "2000" + std::string(time.substr(4));
}

// The first line, without what would disturb a log.
std::string first_line(std::string_view text) {
  constexpr std::size_t kMaxLine = 300;
  text = text.substr(0, std::min(text.find('\n'), kMaxLine));
  return http::printable_line(text);
}

}  // namespace

Program exec_program(const Access& access) {
  const ExecPlugin& plugin = *access.exec;
  json::Object spec{{"interactive", false}};
  if (plugin.provide_cluster_info) spec["cluster"] = cluster_info(access);
  json::Object info{
      {"apiVersion", plugin.api_version}, {"kind", "ExecCredential"}, {"spec", std::move(spec)}};
  Program program{.path = plugin.command, .args = plugin.args, .env = plugin.env};
  program.env["KUBERNETES_EXEC_INFO"] = json::write(info);
  return program;
}

Result<ExecCredential> parse_exec_credential(std::string_view text, const ExecPlugin& plugin) {
  Result<json::Value> document = json::read(text);
  if (!document || !document->is_object()) return refuse(plugin, "did not print JSON");
  if (json::string_at(*document, {"kind"}) != "ExecCredential") {
    return refuse(plugin, "did not print an ExecCredential");
  }
  if (std::string_view version = json::string_at(*document, {"apiVersion"});
      version != plugin.api_version) {
    return refuse(plugin, fmt::format("is to use {}, but answered in {}", plugin.api_version,
                                      http::printable_line(version)));
  }
  const json::Value* status = json::at(*document, {"status"});
  if (!status || !status->is_object()) return refuse(plugin, "gave no status");
  ExecCredential credential{
      .token = std::string(json::string_at(*status, {"token"})),
      .certificate_pem = std::string(json::string_at(*status, {"clientCertificateData"})),
      .key_pem = std::string(json::string_at(*status, {"clientKeyData"}))};
  if (credential.certificate_pem.empty() != credential.key_pem.empty()) {
    return refuse(plugin, "gave only one of certificate and key");
  }
  if (credential.token.empty() && credential.key_pem.empty()) {
    return refuse(plugin, "gave neither a token nor a certificate");
  }
  if (http::printable_line(credential.token) != credential.token) {
    return refuse(plugin, "gave a token with control characters");
  }
  if (std::string_view expires = json::string_at(*status, {"expirationTimestamp"});
      !expires.empty()) {
    Result<Time> time = parse_time(expires);
    // Some plugins say "never" by a year that no clock of ours can show.
    const bool never = !time && expires >= kLastYear && parse_time(in_this_age(expires));
    if (!time && !never) {
      return refuse(plugin, "gave an expirationTimestamp that is no RFC 3339 time");
    }
    if (time) credential.expires = *time;
  }
  return credential;
}

Result<ExecCredential> run_exec_plugin(const Access& access) {
  const ExecPlugin& plugin = *access.exec;
  Result<ProgramOutput> output = run_program(exec_program(access));
  std::string why;
  if (!output) {
    why = output.error().message;
  } else if (output->exit_code != 0) {
    why = fmt::format("it ended with {}: {}", output->exit_code, first_line(output->err));
  } else {
    return parse_exec_credential(output->out, plugin);
  }
  std::string message = fmt::format("exec plugin {} failed: {}", plugin.command, why);
  if (!plugin.install_hint.empty()) message += "; " + first_line(plugin.install_hint);
  return fail(ErrorCode::kUnauthorized, std::move(message));
}

}  // namespace slipway::store::kube
