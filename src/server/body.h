#pragma once

#include <string>
#include <vector>

#include "server/call.h"

// Request bodies: JSON, YAML or, for Kubernetes' own kinds, protobuf; refused in Kubernetes' words.
namespace slipway::server {

struct Body {
  json::Value value;
  std::vector<std::string> duplicates;  // paths of repeated keys
};

// By Content-Type: JSON when there is none; protobuf, of an `expected` kind where it does not say,
// only where `protobuf` is. Errors: kUnsupportedMedia, kBadRequest, kTooLarge.
struct BodyKind {
  const api::Registry& registry;
  api::Gvk expected;
  bool protobuf = true;
};
Result<Body> read_body(const http::Request& request, const BodyKind& kind);
// Whatever the header says: patches name their own types.
Result<Body> read_json(const std::string& text);
Result<Body> read_yaml(const std::string& text);  // null: no document

// The object of a create or update: its kind and version are those of the resource (filled in when
// native objects leave them out), its namespace that of the request. Errors: kBadRequest,
// kUnsupportedMedia, kTooLarge.
struct ObjectBody {
  json::Object object;
  std::vector<std::string> duplicates;
};
Result<ObjectBody> read_object(const api::Registry& registry, const Call& call,
                               const api::Gvk& gvk);

// Refuses an object of another name or namespace than the URL's, and fills in the namespace.
Result<> match_name(const Call& call, json::Object& object);
Result<> match_namespace(const Call& call, json::Object& object);

// Refuses a metadata.resourceVersion that is no version: reading it as none would overwrite
// whatever is there.
Result<> check_version_text(const json::Object& object);

// "array", "string" …, as Go's decoder names what it found.
std::string_view go_name(const json::Value& value);

// 415 naming what is taken.
Error unsupported_media(const std::vector<std::string>& accepted);

}  // namespace slipway::server
