#include "api/object.h"

#include <charconv>

#include "api/rules/members.h"

namespace slipway::api {

namespace {

std::string_view metadata_text(const json::Object& object, std::string_view key) {
  const json::Object* metadata = metadata_of(object);
  return metadata == nullptr ? std::string_view{} : text_in(*metadata, key);
}

const json::Array* metadata_list(const json::Object& object, std::string_view key) {
  const json::Object* metadata = metadata_of(object);
  const json::Value* found = metadata == nullptr ? nullptr : metadata->if_contains(key);
  return found == nullptr ? nullptr : found->if_array();
}

json::Object& metadata_object(json::Object& object, std::string_view key) {
  json::Value& value = metadata_of(object)[key];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

json::Object render_owner(const OwnerReference& owner) {
  json::Object out;
  out["apiVersion"] = owner.api_version;
  out["kind"] = owner.kind;
  out["name"] = owner.name;
  out["uid"] = owner.uid;
  if (owner.controller) out["controller"] = true;
  if (owner.block_owner_deletion) out["blockOwnerDeletion"] = true;
  return out;
}

}  // namespace

Gvk gvk_of(const json::Object& object) {
  return parse_gvk(text_in(object, "apiVersion"), text_in(object, "kind"));
}

const json::Object* metadata_of(const json::Object& object) {
  const json::Value* metadata = object.if_contains("metadata");
  return metadata == nullptr ? nullptr : metadata->if_object();
}

json::Object& metadata_of(json::Object& object) {
  json::Value& metadata = object["metadata"];
  return metadata.is_object() ? metadata.get_object() : metadata.emplace_object();
}

std::string_view name_of(const json::Object& object) { return metadata_text(object, "name"); }
std::string_view namespace_of(const json::Object& object) {
  return metadata_text(object, "namespace");
}
std::string_view uid_of(const json::Object& object) { return metadata_text(object, "uid"); }

std::uint64_t version_of(const json::Object& object) {
  std::string_view text = metadata_text(object, "resourceVersion");
  std::uint64_t version = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  return error == std::errc{} && end == text.data() + text.size() ? version : 0;
}

std::int64_t generation_of(const json::Object& object) {
  const json::Object* metadata = metadata_of(object);
  return metadata == nullptr ? 0 : number_in<std::int64_t>(*metadata, "generation").value_or(0);
}

std::optional<Time> deletion_time_of(const json::Object& object) {
  std::string_view text = metadata_text(object, "deletionTimestamp");
  if (text.empty()) return std::nullopt;
  auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}

bool is_deleting(const json::Object& object) {
  return !metadata_text(object, "deletionTimestamp").empty();
}

std::vector<std::string> finalizers_of(const json::Object& object) {
  const json::Object* metadata = metadata_of(object);
  return metadata == nullptr ? std::vector<std::string>() : texts_in(*metadata, "finalizers");
}

std::vector<OwnerReference> owners_of(const json::Object& object) {
  std::vector<OwnerReference> out;
  const json::Array* list = metadata_list(object, "ownerReferences");
  if (list == nullptr) return out;
  for (const json::Value& item : *list) {
    const json::Object* owner = item.if_object();
    if (owner == nullptr) continue;
    out.push_back({.api_version = std::string(text_in(*owner, "apiVersion")),
                   .kind = std::string(text_in(*owner, "kind")),
                   .name = std::string(text_in(*owner, "name")),
                   .uid = std::string(text_in(*owner, "uid")),
                   .controller = flag_in(*owner, "controller"),
                   .block_owner_deletion = flag_in(*owner, "blockOwnerDeletion")});
  }
  return out;
}

std::optional<OwnerReference> controller_of(const json::Object& object) {
  for (OwnerReference& owner : owners_of(object)) {
    if (owner.controller) return std::move(owner);
  }
  return std::nullopt;
}

std::string_view annotation_of(const json::Object& object, std::string_view key) {
  const json::Object* metadata = metadata_of(object);
  const json::Value* all = metadata == nullptr ? nullptr : metadata->if_contains("annotations");
  return all == nullptr || !all->is_object() ? std::string_view{} : text_in(all->get_object(), key);
}

void set_annotation(json::Object& object, std::string_view key, std::string_view value) {
  metadata_object(object, "annotations")[key] = value;
}

void set_label(json::Object& object, std::string_view key, std::string_view value) {
  metadata_object(object, "labels")[key] = value;
}

void set_finalizers(json::Object& object, const std::vector<std::string>& finalizers) {
  if (finalizers.empty()) return json::erase(metadata_of(object), "finalizers");
  metadata_of(object)["finalizers"] = json::Array(finalizers.begin(), finalizers.end());
}

void set_owners(json::Object& object, const std::vector<OwnerReference>& owners) {
  if (owners.empty()) return json::erase(metadata_of(object), "ownerReferences");
  json::Array list;
  for (const OwnerReference& owner : owners) list.emplace_back(render_owner(owner));
  metadata_of(object)["ownerReferences"] = std::move(list);
}

void add_owner(json::Object& object, const OwnerReference& owner) {
  json::Value& list = metadata_of(object)["ownerReferences"];
  if (!list.is_array()) list.emplace_array();
  list.get_array().emplace_back(render_owner(owner));
}

OwnerReference controller_reference(const json::Object& object) {
  return {.api_version = std::string(text_in(object, "apiVersion")),
          .kind = std::string(text_in(object, "kind")),
          .name = std::string(name_of(object)),
          .uid = std::string(uid_of(object)),
          .controller = true,
          .block_owner_deletion = true};
}

}  // namespace slipway::api
