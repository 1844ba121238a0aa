#include "server/openapi_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/openapi/openapi.h"
#include "base/hash.h"
#include "http/gzip.h"
#include "server/media.h"
#include "server/status.h"
#include "server/swagger_proto.h"

namespace slipway::server {
namespace {

constexpr std::string_view kProtoV2Old =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
constexpr std::string_view kProtoV2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

std::string content_hash(std::string_view text) {
  // Two passes that start apart: 128 bits, as no two documents of one server may share a URL.
  return fmt::format("{:016X}{:016X}", fnv1a64(text), fnv1a64(text, kFnv64Start ^ text.size()));
}

bool takes_json(const MediaType& media) {
  return media.type == "application/json" || media.type == "*/*" || media.type == "application/*";
}

http::Response not_acceptable(std::string_view types) {
  return failure(
      {.code = ErrorCode::kNotAcceptable,
       .message = fmt::format("only the following media types are accepted: {}", types)});
}

}  // namespace

void OpenApiCache::touch() {
  if (version_ != registry_.version()) {
    version_ = registry_.version();
    documents_.clear();
    hashes_.clear();
  }
  idle_ = loop_.clock().call_after(kIdle, [this] { documents_.clear(); });
}

const OpenApiCache::Document& OpenApiCache::keep(const std::string& name,
                                                 const std::function<std::string()>& make) {
  auto found = documents_.find(name);
  if (found == documents_.end()) {
    auto text = make();
    auto etag = content_hash(text);
    auto gzipped = std::make_shared<const std::string>(http::Gzip().compress(text, true));
    found =
        documents_.emplace(name, Document{std::move(gzipped), text.size(), std::move(etag)}).first;
  }
  return found->second;
}

http::Response OpenApiCache::present(const http::Request& request, const Document& document,
                                     std::string content_type) {
  http::Response response;
  auto etag = fmt::format("\"{}\"", document.etag);
  response.headers.set("ETag", etag);
  response.headers.set("Vary", "Accept, Accept-Encoding");
  if (request.headers.get("If-None-Match") == etag) {
    response.status = 304;
    return response;
  }
  response.headers.set("Content-Type", std::move(content_type));
  if (http::accepts_gzip(request.headers.get("Accept-Encoding"))) {
    response.headers.set("Content-Encoding", "gzip");
    response.parts = {document.gzipped};
  } else {
    response.body = http::gunzip(*document.gzipped, document.size);
  }
  return response;
}

http::Response OpenApiCache::v2(const http::Request& request) {
  auto accept = request.headers.get("Accept");
  auto clauses = parse_accept(accept.empty() ? "application/json" : accept);
  for (const auto& media : clauses) {
    if (media.quality == 0) continue;
    if (media.type == kProtoV2Old || media.type == kProtoV2) {
      const auto& document =
          keep("v2 proto", [this] { return swagger_to_proto(api::openapi_v2(registry_)); });
      return present(request, document, std::string(kProtoV2));
    }
    if (takes_json(media)) {
      const auto& document =
          keep("v2 json", [this] { return json::write(api::openapi_v2(registry_)); });
      return present(request, document, "application/json");
    }
  }
  return not_acceptable(fmt::format("application/json, {}", kProtoV2));
}

std::string OpenApiCache::hash_of(const std::string& path) {
  auto& hash = hashes_[path];
  if (hash.empty()) hash = keep_v3(path).etag;
  return hash;
}

const OpenApiCache::Document& OpenApiCache::keep_v3(const std::string& path) {
  return keep("v3 " + path, [&] { return json::write(api::openapi_v3(registry_, path)); });
}

http::Response OpenApiCache::index() {
  json::Object paths;
  for (const auto& path : api::openapi_v3_paths(registry_)) {
    auto url = fmt::format("/openapi/v3/{}?hash={}", path, hash_of(path));
    paths[path] = json::Object{{"serverRelativeURL", url}};
  }
  return json_response(200, json::write(json::Object{{"paths", std::move(paths)}}) + "\n");
}

http::Response OpenApiCache::v3(const http::Request& request, const std::string& path) {
  auto known = api::openapi_v3_paths(registry_);
  if (std::ranges::find(known, path) == known.end()) return unknown_path();
  auto accept = request.headers.get("Accept");
  auto clauses = parse_accept(accept);
  if (!clauses.empty() && std::ranges::none_of(clauses, takes_json))
    return not_acceptable("application/json");
  const auto& document = keep_v3(path);
  hashes_[path] = document.etag;
  auto response = present(request, document, "application/json");
  const std::string* hash = request.target.find("hash");
  if (!hash || hash->empty()) return response;
  if (*hash != document.etag) {
    // A URL of yesterday's document: whoever keeps it must not keep this one under it.
    http::Response moved{.status = 301};
    moved.headers.set("Location", fmt::format("/openapi/v3/{}?hash={}", path, document.etag));
    return moved;
  }
  response.headers.set("Cache-Control", "public, immutable, max-age=31536000");
  return response;
}

std::optional<http::Response> OpenApiCache::answer(const http::Request& request) {
  std::string_view path = request.target.path;
  constexpr std::string_view kV3 = "/openapi/v3";
  if (path != "/openapi/v2" && path != kV3 && !path.starts_with("/openapi/v3/"))
    return std::nullopt;
  touch();
  if (path == "/openapi/v2") return v2(request);
  if (path == kV3 || path == "/openapi/v3/") return index();
  return v3(request, std::string(path.substr(kV3.size() + 1)));
}

}  // namespace slipway::server
