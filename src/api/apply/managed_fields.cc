#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/apply/managers.h"
#include "api/object.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

std::string text_of(const json::Object& object, std::string_view key) {
  const json::Value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

Result<ManagedEntry> read_entry(const json::Value& value, std::size_t index) {
  if (!value.is_object())
    return fail(ErrorCode::kInvalid, fmt::format("managed fields entry {} is no object", index));
  const json::Object& object = value.get_object();
  ManagedEntry entry{.manager = text_of(object, "manager"),
                     .operation = text_of(object, "operation"),
                     .api_version = text_of(object, "apiVersion"),
                     .time = text_of(object, "time"),
                     .subresource = text_of(object, "subresource")};
  if (entry.operation != "Apply" && entry.operation != "Update")
    return fail(ErrorCode::kInvalid, "operation must be `Apply` or `Update`");
  if (entry.api_version.empty()) return fail(ErrorCode::kInvalid, "apiVersion must not be empty");
  std::string type = text_of(object, "fieldsType");
  if (type.empty())
    return fail(ErrorCode::kInvalid,
                fmt::format("missing fieldsType in managed fields entry {}", index));
  if (type != "FieldsV1")
    return fail(ErrorCode::kInvalid, fmt::format("invalid fieldsType {} in managed fields entry {}",
                                                 go_quoted(type), index));
  if (const json::Value* fields = object.if_contains("fieldsV1")) {
    auto set = FieldSet::read(*fields);
    if (!set) return std::unexpected(std::move(set).error());
    entry.fields = std::move(*set);
  }
  return entry;
}

// Equal for what is_same_manager says is the same.
std::string key_of(const ManagedEntry& entry) {
  const bool applied = entry.operation == "Apply";
  return fmt::format("{}\n{}\n{}\n{}", entry.operation, applied ? "" : entry.api_version,
                     entry.subresource, entry.manager);
}

json::Object write_entry(const ManagedEntry& entry) {
  json::Object out;
  out.reserve(7);
  if (!entry.manager.empty()) out["manager"] = entry.manager;
  out["operation"] = entry.operation;
  out["apiVersion"] = entry.api_version;
  if (!entry.time.empty()) out["time"] = entry.time;
  out["fieldsType"] = "FieldsV1";
  out["fieldsV1"] = entry.fields.write();
  if (!entry.subresource.empty()) out["subresource"] = entry.subresource;
  return out;
}

std::int64_t seconds_of(const ManagedEntry& entry) {
  auto time = parse_time(entry.time);
  return time ? std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count() : 0;
}

bool comes_before(const ManagedEntry& a, const ManagedEntry& b) {
  if (a.operation != b.operation) return a.operation < b.operation;
  if (a.time != b.time)
    if (std::int64_t left = seconds_of(a), right = seconds_of(b); left != right)
      return left < right;
  if (a.manager != b.manager) return a.manager < b.manager;
  if (a.api_version != b.api_version) return a.api_version < b.api_version;
  return a.subresource < b.subresource;
}

const json::Array* managed_in(const json::Object& object) {
  const json::Object* metadata = metadata_of(object);
  const json::Value* managed =
      metadata == nullptr ? nullptr : metadata->if_contains("managedFields");
  return managed == nullptr ? nullptr : managed->if_array();
}

bool same_but_times(const json::Array& a, const json::Array& b) {
  return std::ranges::equal(a, b, [](const json::Value& left, const json::Value& right) {
    if (!left.is_object() || !right.is_object()) return false;
    auto without_time = [](json::Object entry) {
      json::erase(entry, "time");
      return json::Value(std::move(entry));
    };
    return json::same(without_time(left.get_object()), without_time(right.get_object()));
  });
}

bool same_members(const json::Object& a, const json::Object& b, std::string_view but) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&](const auto& member) {
    const json::Value* other = b.if_contains(member.key());
    return other != nullptr && (member.key() == but || json::same(member.value(), *other));
  });
}

}  // namespace

Result<std::vector<ManagedEntry>> read_managed_fields(const json::Object& object) {
  std::vector<ManagedEntry> entries;
  std::map<std::string, std::size_t> places;  // by manager: there may be thousands
  const json::Array* managed = managed_in(object);
  for (std::size_t i = 0; managed != nullptr && i < managed->size(); ++i) {
    auto entry = read_entry((*managed)[i], i);
    if (!entry) return std::unexpected(std::move(entry).error());
    auto [place, fresh] = places.emplace(key_of(*entry), entries.size());
    if (fresh)
      entries.push_back(std::move(*entry));
    else
      entries[place->second] = std::move(*entry);
  }
  return entries;
}

void write_managed_fields(json::Object& object, std::vector<ManagedEntry> entries) {
  std::erase_if(entries, [](const ManagedEntry& entry) { return entry.fields.empty(); });
  if (entries.empty()) {
    if (metadata_of(std::as_const(object)) != nullptr)
      json::erase(metadata_of(object), "managedFields");
    return;
  }
  std::ranges::sort(entries, comes_before);
  json::Array managed;
  managed.reserve(entries.size());
  for (const ManagedEntry& entry : entries) managed.push_back(write_entry(entry));
  metadata_of(object)["managedFields"] = std::move(managed);
}

void keep_times(const json::Object& before, json::Object& after) {
  const json::Array* old_entries = managed_in(before);
  const json::Array* new_entries = managed_in(after);
  if (old_entries == nullptr || new_entries == nullptr || old_entries->empty() ||
      *old_entries == *new_entries)
    return;
  if (!same_but_times(*old_entries, *new_entries) || !same_members(before, after, "metadata") ||
      !same_members(*metadata_of(before), *metadata_of(std::as_const(after)), "managedFields"))
    return;
  metadata_of(after)["managedFields"] = *old_entries;
}

}  // namespace slipway::api
