#include "server/body.h"

#include <fmt/format.h>

#include "api/object.h"
#include "api/rules/validate.h"
#include "api/wire/protobuf.h"
#include "base/yaml.h"

namespace slipway::server {
namespace {

constexpr std::size_t kSummaryBytes = 30;

// What Go calls the struct it looks for kind and version with.
constexpr std::string_view kTypeMeta =
    R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })";

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

Error unreadable(const Error& error, std::string_view kind, const http::Request& request) {
  if (error.code == ErrorCode::kTooLarge) return error;
  const auto& body = request.body;
  auto media = parse_media_type(request.headers.get("Content-Type")).type;
  std::string_view stage = media == api::kProtobufMedia  ? ""
                           : media == "application/yaml" ? "yaml: "
                                                         : "couldn't get version/kind; json parse "
                                                           "error: ";
  return {
      .code = ErrorCode::kBadRequest,
      .message = fmt::format("the object provided is unrecognized (must be of type {}): {}{} ({})",
                             kind, stage, error.text(), summary_of(body))};
}

// The package Go keeps a group's internal types in: core, apps, networking.
std::string package_of(const api::Gvk& gvk) {
  return gvk.group.empty() ? "core" : gvk.group.substr(0, gvk.group.find('.'));
}

Error wrong_type(const Call& call, const api::Gvk& given, const api::Gvk& wanted,
                 const json::Object& object) {
  if (call.resource->native && given.kind != wanted.kind)
    return {.code = ErrorCode::kBadRequest,
            .message = fmt::format("{} in version \"{}\" cannot be handled as a {}: converting "
                                   "({}.{}) to ({}.{}): unknown conversion",
                                   given.kind, given.version, wanted.kind, given.version,
                                   given.kind, package_of(wanted), wanted.kind)};
  if (call.resource->native && given.group == wanted.group)
    return {.code = ErrorCode::kBadRequest,
            .message = fmt::format("{} in version \"{}\" cannot be handled as a {}: no kind \"{}\" "
                                   "is registered for version \"{}\"",
                                   given.kind, given.version, wanted.kind, given.kind,
                                   given.api_version())};
  if (given.api_version() != wanted.api_version())
    return {
        .code = ErrorCode::kBadRequest,
        .message = fmt::format("the API version in the data ({}) does not match the expected API "
                               "version ({})",
                               given.api_version(), wanted.api_version())};
  api::Findings findings;
  findings.invalid("kind", json::Value(given.kind), "must be " + wanted.kind);
  return findings.error(given, api::name_of(object));
}

Result<> match_type(const Call& call, const api::Gvk& wanted, json::Object& object) {
  auto text = [&](std::string_view key) {
    const json::Value* value = object.if_contains(key);
    return std::string(value ? json::string_at(*value, {}) : "");
  };
  auto kind = text("kind");
  auto version = text("apiVersion");
  if (kind.empty() && !call.resource->native)
    return fail(ErrorCode::kBadRequest,
                fmt::format("the object provided is unrecognized (must be of type {}): Object "
                            "'Kind' is missing in '{}' ({})",
                            wanted.kind, call.request.body, summary_of(call.request.body)));
  // Go's decoder fills in what native objects leave out; others must say what they are.
  if (kind.empty()) object["kind"] = kind = wanted.kind;
  if (version.empty() && call.resource->native)
    object["apiVersion"] = version = wanted.api_version();
  auto given = api::parse_gvk(version, kind);
  if (given == wanted) return {};
  return fail(wrong_type(call, given, wanted, object));
}

}  // namespace

std::string_view go_name(const json::Value& value) {
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  if (value.is_string()) return "string";
  if (value.is_null()) return "null";
  return value.is_bool() ? "bool" : "number";
}

Result<> check_version_text(const json::Object& object) {
  const auto* metadata = api::metadata_of(object);
  const auto* version = metadata ? metadata->if_contains("resourceVersion") : nullptr;
  if (!version || !version->is_string()) return {};
  std::string_view text = version->get_string();
  if (text.find_first_not_of("0123456789") == std::string_view::npos && text.size() < 20) return {};
  return fail(ErrorCode::kBadRequest,
              fmt::format("strconv.ParseUint: parsing \"{}\": invalid syntax", text));
}

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
  if (documents->empty()) return Body{};
  if (documents->size() != 1)
    return fail(ErrorCode::kBadRequest,
                fmt::format("the body holds {} YAML documents; send one", documents->size()));
  return Body{std::move((*documents)[0].value), std::move((*documents)[0].duplicates)};
}

Result<Body> read_body(const http::Request& request, const BodyKind& kind) {
  auto media = parse_media_type(request.headers.get("Content-Type"));
  if (media.type.empty() || media.type == "application/json") return read_json(request.body);
  if (media.type == "application/yaml") {
    auto body = read_yaml(request.body);
    if (body && body->value.is_null())
      return fail(ErrorCode::kBadRequest, "the body holds no YAML document; send one");
    return body;
  }
  std::vector<std::string> accepted = {"application/json", "application/yaml"};
  if (kind.protobuf) accepted.emplace_back(api::kProtobufMedia);
  if (!kind.protobuf || media.type != api::kProtobufMedia) return fail(unsupported_media(accepted));
  auto object = api::read_protobuf(request.body, kind.registry, kind.expected);
  if (!object) return std::unexpected(object.error());
  return Body{.value = std::move(*object), .duplicates = {}};
}

Result<ObjectBody> read_object(const api::Registry& registry, const Call& call,
                               const api::Gvk& gvk) {
  auto body = read_body(call.request, {registry, gvk, call.resource->native});
  if (!body && body.error().code == ErrorCode::kUnsupportedMedia)
    return std::unexpected(body.error());
  if (!body) return fail(unreadable(body.error(), gvk.kind, call.request));
  auto* object = body->value.if_object();
  if (!object)
    return fail(
        unreadable({.code = ErrorCode::kBadRequest,
                    .message = fmt::format("json: cannot unmarshal {} into Go value of type {}",
                                           go_name(body->value), kTypeMeta)},
                   gvk.kind, call.request));
  SLIPWAY_TRY(match_type(call, gvk, *object));
  if (const auto* metadata = object->if_contains("metadata");
      metadata && !metadata->is_null() && !metadata->is_object())
    return fail(ErrorCode::kBadRequest,
                fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: json: cannot "
                            "unmarshal {2} into Go struct field {0}.metadata of type v1.ObjectMeta",
                            gvk.kind, gvk.version, go_name(*metadata)));
  return ObjectBody{std::move(*object), std::move(body->duplicates)};
}

Result<> match_namespace(const Call& call, json::Object& object) {
  const auto& wanted = call.route.ns;
  auto given = api::namespace_of(object);
  if (!call.resource->namespaced) {
    // Some clients send a namespace with everything.
    if (auto* metadata = object.if_contains("metadata"); metadata && metadata->is_object())
      json::erase(metadata->get_object(), "namespace");
    return {};
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
