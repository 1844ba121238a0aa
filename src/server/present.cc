#include "server/present.h"

#include <fmt/format.h>

#include "server/status.h"
#include "server/table.h"
#include "store/decode.h"

namespace slipway::server {
namespace {

// Rows and metadata are read and written anew; others get their turn in between.
constexpr std::size_t kBuiltInTurn = 256;

http::Bytes shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

const http::Bytes& newline() {
  static const http::Bytes kNewline = shared("\n");
  return kNewline;
}

http::Response parts_response(std::vector<http::Bytes> parts, int status) {
  http::Response response{.status = status, .parts = std::move(parts)};
  response.headers.set("Content-Type", "application/json");
  return response;
}

json::Object list_metadata(const store::Page& page) {
  json::Object metadata{{"resourceVersion", fmt::format("{}", page.version)}};
  if (!page.continue_token.empty()) metadata["continue"] = page.continue_token;
  if (page.remaining && *page.remaining > 0) metadata["remainingItemCount"] = *page.remaining;
  return metadata;
}

std::string list_head(std::string_view kind, std::string_view api_version,
                      const store::Page& page) {
  std::string head = "{\"kind\":";
  json::append_string(head, kind);
  head += ",\"apiVersion\":";
  json::append_string(head, api_version);
  head += ",\"metadata\":";
  json::append(head, list_metadata(page));
  head += ",\"items\":[";
  return head;
}

http::Response object_list(const Call& call, const store::Page& page) {
  static const http::Bytes kComma = shared(",");
  static const http::Bytes kTail = shared("]}\n");
  const auto& gvk = call.resource->gvk;
  std::vector<http::Bytes> parts;
  parts.reserve(page.items.size() * 2 + 2);
  parts.push_back(shared(list_head(gvk.kind + "List", gvk.api_version(), page)));
  for (const auto& item : page.items) {
    if (parts.size() > 1) parts.push_back(kComma);
    parts.push_back(item.bytes);
  }
  parts.push_back(kTail);
  return parts_response(std::move(parts), 200);
}

Task<http::Response> metadata_list(Loop& loop, std::string version, const store::Page& page) {
  std::string body = list_head("PartialObjectMetadataList", "meta.k8s.io/" + version, page);
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    if (i > 0) body += ',';
    body += metadata_only(page.items[i], version);
    if (i % kBuiltInTurn == kBuiltInTurn - 1) co_await next_turn(loop);
  }
  co_return json_response(200, body + "]}\n");
}

}  // namespace

Result<json::Value> decode_item(const store::Item& item) {
  auto object = store::decode(item);
  if (!object) return std::unexpected(std::move(object).error());
  return json::Value(std::move(*object));
}

std::string metadata_only(const store::Item& item, std::string_view meta_version) {
  std::string text =
      fmt::format(R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/{}","metadata":)",
                  meta_version);
  auto value = decode_item(item);
  const json::Value* metadata = value ? json::at(*value, {"metadata"}) : nullptr;
  json::append(text, metadata ? *metadata : json::Value(json::Object()));
  return text + "}";
}

Result<http::Response> present_object(const Services& services, const Call& call,
                                      const store::Item& item, int status) {
  switch (call.accepted.form) {
    case Accepted::Form::kTable: {
      auto include = include_object(call);
      if (!include) return std::unexpected(include.error());
      TableWriter table(*call.resource, *include, call.accepted.meta_version,
                        services.loop.clock().now());
      SLIPWAY_TRY(table.add(item));
      return json_response(status, table.finish({.version = item.version}, true) + "\n");
    }
    case Accepted::Form::kMetadata:
      return json_response(status, metadata_only(item, call.accepted.meta_version) + "\n");
    case Accepted::Form::kObject:
      break;
  }
  return parts_response({item.bytes, newline()}, status);
}

Task<Result<http::Response>> present_list(const Services& services, const Call& call,
                                          const store::Page& page) {
  if (call.accepted.form == Accepted::Form::kObject) co_return object_list(call, page);
  if (call.accepted.form == Accepted::Form::kMetadata)
    co_return co_await metadata_list(services.loop, call.accepted.meta_version, page);
  auto include = include_object(call);
  if (!include) co_return std::unexpected(include.error());
  TableWriter table(*call.resource, *include, call.accepted.meta_version,
                    services.loop.clock().now());
  std::size_t added = 0;
  for (const auto& item : page.items) {
    SLIPWAY_CO_TRY(table.add(item));
    if (++added % kBuiltInTurn == 0) co_await next_turn(services.loop);
  }
  co_return json_response(200, table.finish({.version = page.version,
                                             .continue_token = page.continue_token,
                                             .remaining = page.remaining},
                                            true) +
                                   "\n");
}

http::Response present_value(const Call&, const json::Value& value, int status) {
  return json_response(status, json::write(value) + "\n");
}

}  // namespace slipway::server
