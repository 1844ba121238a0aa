#include "server/body.h"

#include <fmt/format.h>

#include "api/object.h"
#include "base/yaml.h"

namespace slipway::server {
namespace {

constexpr std::size_t kSummaryBytes = 30;

// The first bytes of what could not be read, as the API server shows them.
std::string summary_of(std::string_view body) {
  if (body.empty()) return "<empty>";
  bool cut = body.size() > kSummaryBytes;
  auto shown = body.substr(0, kSummaryBytes);
  std::string text;
  if (body.front() == '{') {
    text = shown;
  } else {
    for (char c : shown) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return cut ? text + " ..." : text;
}

Error unreadable(const Error& error, std::string_view kind, const std::string& body) {
  if (error.code == ErrorCode::kTooLarge) return error;
  return {.code = ErrorCode::kBadRequest,
          .message = fmt::format("the object provided is unrecognized (must be of type {}): "
                                 "couldn't get version/kind; json parse error: {} ({})",
                                 kind, error.text(), summary_of(body))};
}

std::string shown_type(std::string_view api_version, std::string_view kind) {
  return fmt::format("{}, Kind={}",
                     api_version.find('/') == std::string_view::npos
                         ? fmt::format("/{}", api_version)
                         : std::string(api_version),
                     kind);
}

Result<> match_type(const Call& call, const api::Gvk& gvk, json::Object& object) {
  const json::Value* kind_value = object.if_contains("kind");
  const json::Value* version_value = object.if_contains("apiVersion");
  std::string kind(kind_value ? json::string_at(*kind_value, {}) : "");
  std::string version(version_value ? json::string_at(*version_value, {}) : "");
  // Go's decoder fills in what native objects leave out; objects without a Go type must say what
  // they are.
  if (kind.empty() && !call.resource->native)
    return fail(ErrorCode::kBadRequest,
                fmt::format("Object 'Kind' is missing in '{}'", json::write(object)));
  if (version.empty() && !call.resource->native)
    return fail(ErrorCode::kBadRequest,
                fmt::format("Object 'apiVersion' is missing in '{}'", json::write(object)));
  if (kind.empty()) object["kind"] = kind = gvk.kind;
  if (version.empty()) object["apiVersion"] = version = gvk.api_version();
  if (kind != gvk.kind)
    return fail(ErrorCode::kBadRequest,
                fmt::format("{} in version \"{}\" cannot be handled as a {}: the object is of type "
                            "{}, expected {}",
                            kind, api::parse_gvk(version, kind).version, gvk.kind,
                            shown_type(version, kind), shown_type(gvk.api_version(), gvk.kind)));
  if (version != gvk.api_version())
    return fail(ErrorCode::kBadRequest,
                fmt::format("the API version in the data ({}) does not match the expected API "
                            "version ({})",
                            version, gvk.api_version()));
  return {};
}

}  // namespace

Error unsupported_media(const std::vector<std::string>& accepted) {
  return {
      .code = ErrorCode::kUnsupportedMedia,
      .message = fmt::format("the body of the request was in an unknown format - accepted media "
                             "types include: {}",
                             fmt::join(accepted, ", "))};
}

Result<Body> read_json(const std::string& text) {
  Body body;
  auto value = json::read(text, {.duplicates = &body.duplicates});
  if (!value) return std::unexpected(value.error());
  body.value = std::move(*value);
  return body;
}

Result<Body> read_yaml(const std::string& text) {
  // JSON is YAML, and reading it as what it is costs a tenth.
  if (text.starts_with('{'))
    if (auto body = read_json(text)) return body;
  auto documents = yaml::read(text);
  if (!documents) return std::unexpected(documents.error());
  if (documents->size() != 1)
    return fail(ErrorCode::kBadRequest,
                fmt::format("the body holds {} YAML documents; send one", documents->size()));
  return Body{std::move((*documents)[0].value), std::move((*documents)[0].duplicates)};
}

Result<Body> read_body(const http::Request& request) {
  auto media = parse_media_type(request.headers.get("Content-Type"));
  if (media.type.empty() || media.type == "application/json") return read_json(request.body);
  if (media.type == "application/yaml") return read_yaml(request.body);
  return fail(unsupported_media({"application/json", "application/yaml"}));
}

Result<ObjectBody> read_object(const Call& call, const api::Gvk& gvk) {
  auto body = read_body(call.request);
  if (!body && body.error().code == ErrorCode::kUnsupportedMedia)
    return std::unexpected(body.error());
  if (!body) return fail(unreadable(body.error(), gvk.kind, call.request.body));
  auto* object = body->value.if_object();
  if (!object)
    return fail(
        unreadable({.code = ErrorCode::kBadRequest,
                    .message = fmt::format("json: cannot unmarshal {} into Go value of type "
                                           "struct",
                                           body->value.is_array() ? "array" : "value")},
                   gvk.kind, call.request.body));
  SLIPWAY_TRY(match_type(call, gvk, *object));
  return ObjectBody{std::move(*object), std::move(body->duplicates)};
}

Result<> match_namespace(const Call& call, json::Object& object) {
  const auto& wanted = call.route.ns;
  auto given = api::namespace_of(object);
  if (!call.resource->namespaced) {
    if (given.empty()) return {};
    // A cluster-scoped object has no namespace; some clients send one all the same.
    return fail(ErrorCode::kBadRequest,
                "namespace may not be specified for objects that are cluster-scoped");
  }
  if (!given.empty() && given != wanted)
    return fail(ErrorCode::kBadRequest,
                "the namespace of the provided object does not match the namespace sent on the "
                "request");
  if (given.empty()) api::metadata_of(object)["namespace"] = wanted;
  return {};
}

Result<> match_name(const Call& call, json::Object& object) {
  auto given = api::name_of(object);
  if (given.empty()) {
    // An update must say what it is of; an apply may leave it to the URL.
    if (call.route.verb != Verb::kPatch)
      return fail(ErrorCode::kBadRequest,
                  fmt::format("the name of the object ({} based on URL) was undeterminable: name "
                              "must be provided",
                              call.route.name));
    api::metadata_of(object)["name"] = call.route.name;
    return {};
  }
  if (given != call.route.name)
    return fail(ErrorCode::kBadRequest,
                fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                            given, call.route.name));
  return {};
}

}  // namespace slipway::server
