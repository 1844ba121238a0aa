#include "metrics/aws_sign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "metrics/digest.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

// "20260102T150405Z"
std::string basic_time(Time now) {
  std::string text = format_time(now);
  std::erase(text, '-');
  std::erase(text, ':');
  return text;
}

Result<std::string> canonical_query(const std::string& query) {
  auto target = http::parse_target("/?" + query);
  if (!target) return fail(ErrorCode::kInvalid, target.error().message);
  std::sort(target->query.begin(), target->query.end());
  return http::format_query(target->query);
}

// Each segment encoded once more, as every service but S3 wants it.
std::string canonical_path(const std::string& path) {
  if (path.empty()) return "/";
  std::string result;
  std::size_t at = 0;
  while (at < path.size()) {
    std::size_t end = std::min(path.find('/', at), path.size());
    result += http::percent_encode(std::string_view(path).substr(at, end - at));
    if (end < path.size()) result += '/';
    at = end + 1;
  }
  return result;
}

struct CanonicalHeaders {
  std::string lines;
  std::string names;
};
CanonicalHeaders canonical_headers(const http::ClientRequest& request, const std::string& host) {
  std::map<std::string, std::string> signed_headers = {{"host", host}};
  for (const auto& [name, value] : request.headers.all()) {
    std::string key = text::lower(name);
    if (key == "content-type" || key.starts_with("x-amz-")) signed_headers[key] = value;
  }
  CanonicalHeaders canonical;
  for (const auto& [name, value] : signed_headers) {
    canonical.lines += name + ":" + value + "\n";
    canonical.names += (canonical.names.empty() ? "" : ";") + name;
  }
  return canonical;
}

}  // namespace

Result<> sign_aws(http::ClientRequest& request, const AwsKeys& keys, const std::string& region,
                  const std::string& service, Time now) {
  auto url = parse_url(request.url);
  if (!url) return fail(std::move(url).error());
  auto query = canonical_query(url->query);
  if (!query) return fail(std::move(query).error());
  std::string time = basic_time(now);
  request.headers.set("X-Amz-Date", time);
  if (!keys.session_token.empty()) request.headers.set("X-Amz-Security-Token", keys.session_token);

  // The path as it goes on the wire, its last slash included.
  std::size_t authority = request.url.find("://") + 3;
  std::size_t path_at = std::min(request.url.find_first_of("/?#", authority), request.url.size());
  std::size_t path_end = std::min(request.url.find_first_of("?#", path_at), request.url.size());
  CanonicalHeaders headers = canonical_headers(request, url->host);
  std::string canonical =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method,
                  canonical_path(request.url.substr(path_at, path_end - path_at)), *query,
                  headers.lines, headers.names, lower_hex(sha256(request.body)));

  std::string day = time.substr(0, 8);
  std::string scope = fmt::format("{}/{}/{}/aws4_request", day, region, service);
  std::string to_sign =
      fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", time, scope, lower_hex(sha256(canonical)));
  std::string key = hmac_sha256("AWS4" + keys.secret_key, day);
  for (std::string_view part :
       {std::string_view(region), std::string_view(service), std::string_view("aws4_request")}) {
    key = hmac_sha256(key, part);
  }
  request.headers.set(
      "Authorization",
      fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}",
                  keys.access_key, scope, headers.names, lower_hex(hmac_sha256(key, to_sign))));
  return {};
}

}  // namespace slipway::metrics
