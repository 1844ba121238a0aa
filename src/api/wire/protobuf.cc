#include "api/wire/protobuf.h"

#include <fmt/format.h>

#include "api/wire/go_types.h"
#include "api/wire/proto_message.h"
#include "base/utf8.h"

namespace slipway::api {

namespace {

using namespace std::string_view_literals;

constexpr auto kMagic = "k8s\0"sv;
constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
constexpr std::string_view kScale = "io.k8s.api.autoscaling.v1.Scale";

// runtime.Unknown: what surrounds every object.
struct Envelope {
  std::string_view api_version, kind, raw;
};

Result<> read_type(std::string_view message, Envelope& out) {
  for (WireReader reader(message); !reader.done();) {
    auto field = reader.next();
    if (!field) return std::unexpected(field.error());
    if (field->number == 1) out.api_version = field->bytes;
    if (field->number == 2) out.kind = field->bytes;
  }
  return {};
}

Result<Envelope> read_envelope(std::string_view message) {
  Envelope out;
  for (WireReader reader(message); !reader.done();) {
    auto field = reader.next();
    if (!field) return std::unexpected(field.error());
    if (field->number == 1) SLIPWAY_TRY(read_type(field->bytes, out));
    if (field->number == 2) out.raw = field->bytes;
  }
  return out;
}

const Schema* schema_of(const Registry& registry, const Gvk& gvk) {
  if (gvk.kind == "DeleteOptions") return registry.schemas().find(kDeleteOptions);
  if (gvk == Gvk{"autoscaling", "v1", "Scale"}) return registry.schemas().find(kScale);
  auto resource = registry.find(gvk);
  return resource && resource->native ? resource->schema : nullptr;
}

}  // namespace

Result<json::Object> read_protobuf(std::string_view body, const Registry& registry,
                                   const Gvk& expected) {
  if (body.size() > json::kMaxBytes)
    return fail(ErrorCode::kTooLarge,
                fmt::format("the body is larger than {} bytes", json::kMaxBytes));
  if (!body.starts_with(kMagic))
    return fail(ErrorCode::kBadRequest,
                "provided data does not appear to be a protobuf message, expected prefix [107 56 "
                "115 0]");
  auto envelope = read_envelope(body.substr(kMagic.size()));
  if (!envelope) return std::unexpected(envelope.error());
  Gvk gvk = parse_gvk(envelope->api_version.empty() ? expected.api_version()
                                                    : utf8::repaired(envelope->api_version),
                      envelope->kind.empty() ? expected.kind : utf8::repaired(envelope->kind));
  const Schema* schema = schema_of(registry, gvk);
  if (schema == nullptr)
    return fail(ErrorCode::kBadRequest, fmt::format("no kind \"{}\" is registered for version "
                                                    "\"{}\"",
                                                    gvk.kind, gvk.api_version()));
  // They stand in the envelope, and in front as JSON has them.
  json::Object object{{"kind", gvk.kind}, {"apiVersion", gvk.api_version()}};
  SLIPWAY_TRY(MessageReader(registry.schemas()).read(envelope->raw, *schema, object));
  go_encode(object, *schema);
  return object;
}

}  // namespace slipway::api
