#include "metrics/aws_credentials.h"

#include <fmt/format.h>

#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/url.h"
#include "metrics/xml.h"

namespace slipway::metrics {

namespace {

constexpr std::size_t kMaxCredentialsFile = 1024 * 1024;

// What `find` has for the three names.
template <class Find>
std::optional<AwsKeys> keys_from(Find find) {
  AwsKeys keys{.access_key = find("aws_access_key_id"),
               .secret_key = find("aws_secret_access_key"),
               .session_token = find("aws_session_token")};
  if (keys.access_key.empty() || keys.secret_key.empty()) return std::nullopt;
  return keys;
}

std::string shared_file(const Connections& connections) {
  std::string path = connections.environment("AWS_SHARED_CREDENTIALS_FILE");
  if (!path.empty()) return path;
  std::string home = connections.environment("HOME");
  return home.empty() ? std::string() : home + "/.aws/credentials";
}

Result<AwsKeys> read_role(const http::Response& response, Time& expires) {
  if (response.status != 200) return status_failure(response);
  auto document = parse_xml(response.body);
  if (!document) return fail(std::move(document).error());
  const XmlElement* result = document->find("AssumeRoleResult");
  const XmlElement* found = result ? result->find("Credentials") : nullptr;
  if (!found || found->text_of("SecretAccessKey").empty()) {
    return fail(ErrorCode::kInvalid, "AWS STS gave no credentials");
  }
  auto until = parse_time(found->text_of("Expiration"));
  if (!until) return fail(ErrorCode::kInvalid, "AWS STS: " + until.error().message);
  expires = *until;
  return AwsKeys{.access_key = std::string(found->text_of("AccessKeyId")),
                 .secret_key = std::string(found->text_of("SecretAccessKey")),
                 .session_token = std::string(found->text_of("SessionToken"))};
}

// Keys as one text, to be kept among the tokens.
std::string packed(const AwsKeys& keys) {
  return keys.access_key + "\n" + keys.secret_key + "\n" + keys.session_token;
}
AwsKeys unpacked(const std::string& text) {
  std::size_t first = text.find('\n');
  std::size_t second = text.find('\n', first + 1);
  return {.access_key = text.substr(0, first),
          .secret_key = text.substr(first + 1, second - first - 1),
          .session_token = text.substr(second + 1)};
}

}  // namespace

Result<AwsKeys> read_shared_credentials(std::string_view contents, const std::string& profile) {
  std::map<std::string, std::string, std::less<>> values;
  bool inside = false;
  while (!contents.empty()) {
    std::size_t end = std::min(contents.find('\n'), contents.size());
    std::string_view line = text::trim(contents.substr(0, end));
    contents.remove_prefix(std::min(end + 1, contents.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = line.ends_with(']') && text::trim(line.substr(1, line.size() - 2)) == profile;
    } else if (std::size_t equals = line.find('='); inside && equals != std::string_view::npos) {
      values.insert_or_assign(std::string(text::trim(line.substr(0, equals))),
                              std::string(text::trim(line.substr(equals + 1))));
    }
  }
  auto keys = keys_from([&values](std::string_view name) {
    auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  });
  if (keys) return *keys;
  return fail(ErrorCode::kNotFound, fmt::format("profile \"{}\" has no aws_access_key_id and "
                                                "aws_secret_access_key",
                                                profile));
}

Result<AwsKeys> find_aws_keys(const ProviderSpec& spec, const std::string& profile,
                              const Connections& connections) {
  auto from_secret = keys_from([&spec](std::string_view name) {
    if (!spec.credentials) return std::string();
    auto found = spec.credentials->find(name);
    if (found == spec.credentials->end()) found = spec.credentials->find(text::upper(name));
    return found == spec.credentials->end() ? std::string() : found->second;
  });
  if (from_secret) return *from_secret;
  auto from_environment = keys_from(
      [&connections](std::string_view name) { return connections.environment(text::upper(name)); });
  if (from_environment && profile.empty()) return *from_environment;

  std::string path = shared_file(connections);
  std::string wanted = !profile.empty() ? profile : connections.environment("AWS_PROFILE");
  if (wanted.empty()) wanted = "default";
  auto contents = path.empty() ? Result<std::string>(fail(ErrorCode::kNotFound, "HOME is not set"))
                               : file::read(path, kMaxCredentialsFile);
  auto keys = contents ? read_shared_credentials(*contents, wanted)
                       : Result<AwsKeys>(fail(contents.error()));
  if (keys) return keys;
  return fail(ErrorCode::kUnauthorized,
              fmt::format("no AWS credentials: neither the secret nor AWS_ACCESS_KEY_ID and "
                          "AWS_SECRET_ACCESS_KEY hold them, and {}: {}",
                          path.empty() ? "there is no shared file" : path, keys.error().message));
}

Task<Result<AwsKeys>> assume_role(Connections& connections, AwsKeys own, std::string role_arn,
                                  std::string region, Duration timeout, std::stop_token stop) {
  std::string key = "sts\n" + role_arn + "\n" + packed(own);
  if (auto kept = connections.token(key)) co_return unpacked(*kept);
  std::string url = connections.environment("AWS_ENDPOINT_URL_STS");
  if (url.empty()) url = fmt::format("https://sts.{}.amazonaws.com/", region);
  http::ClientRequest request{.method = "POST",
                              .url = url,
                              .body = format_form({{"Action", "AssumeRole"},
                                                   {"RoleArn", role_arn},
                                                   {"RoleSessionName", "slipway"},
                                                   {"Version", "2011-06-15"}}),
                              .timeout = timeout,
                              .max_body = kMaxTokenBytes};
  request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  SLIPWAY_CO_TRY(sign_aws(request, own, region, "sts", connections.clock().now()));
  auto response = co_await connections.client({})->send(std::move(request), stop);
  if (!response) co_return fail(std::move(response).error());
  Time expires;
  auto keys = read_role(*response, expires);
  if (!keys) {
    co_return fail(keys.error().code,
                   fmt::format("cannot assume role {}: {}", role_arn, keys.error().message));
  }
  connections.keep_token(std::move(key), packed(*keys), expires);
  co_return keys;
}

}  // namespace slipway::metrics
