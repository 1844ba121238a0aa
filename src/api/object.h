#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/registry.h"
#include "base/json.h"
#include "base/time.h"

// Reading and changing what every object has. An object is its JSON document; these are views of
// its metadata.
namespace slipway::api {

struct OwnerReference {
  std::string api_version, kind, name, uid;
  bool controller = false;
  bool block_owner_deletion = false;
};

Gvk gvk_of(const json::Object& object);
const json::Object* metadata_of(const json::Object& object);  // null when missing
json::Object& metadata_of(json::Object& object);              // made when missing

std::string_view name_of(const json::Object& object);
std::string_view namespace_of(const json::Object& object);
std::string_view uid_of(const json::Object& object);
std::uint64_t version_of(
    const json::Object& object);  // resourceVersion; 0 when missing or no number
std::int64_t generation_of(const json::Object& object);
std::optional<Time> deletion_time_of(const json::Object& object);
bool is_deleting(const json::Object& object);
std::vector<std::string> finalizers_of(const json::Object& object);
std::vector<OwnerReference> owners_of(const json::Object& object);
// The owner with controller: true, if any.
std::optional<OwnerReference> controller_of(const json::Object& object);
std::string_view annotation_of(const json::Object& object, std::string_view key);

void set_annotation(json::Object& object, std::string_view key, std::string_view value);
void set_label(json::Object& object, std::string_view key, std::string_view value);
void set_finalizers(json::Object& object, const std::vector<std::string>& finalizers);
void set_owners(json::Object& object, const std::vector<OwnerReference>& owners);
void add_owner(json::Object& object, const OwnerReference& owner);

// A reference to `object` as its controller.
OwnerReference controller_reference(const json::Object& object);

}  // namespace slipway::api
