#include "api/schema/codec.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/schema/codec_values.h"

namespace slipway::api {

std::int64_t IntOrString::int_value() const {
  if (!is_text) return number;
  std::int64_t parsed = 0;
  return codec::parse_integer(text, parsed) ? parsed : 0;
}

namespace codec {
namespace {

// replicas_max -> replicasMax
std::string camel_case(std::string_view member) {
  std::string name;
  bool upper = false;
  for (const char c : member) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return name;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

void* member_at(const MemberTable& member, const void* object) {
  return member.at(const_cast<void*>(object));  // the accessor only adds an offset
}

}  // namespace

std::string Path::str() const {
  if (parent == nullptr) return std::string(text);
  std::string result = parent->str();
  if (index >= 0) return result + fmt::format("[{}]", index);
  const bool bracketed = index == kMapKey && text.find_first_of("./") != std::string_view::npos;
  if (bracketed) return result + fmt::format("[{}]", text);
  if (!result.empty()) result += '.';
  return result.append(text);
}

StructTable make_table(std::string_view schema_prefix, std::string_view type_name,
                       std::vector<MemberTable> members, std::span<const Note> notes) {
  for (const Note& note : notes) {
    const auto member = std::ranges::find(members, note.member, &MemberTable::member);
    SLIPWAY_ASSERT(member != members.end());
    member->note = note.says;
  }
  for (MemberTable& member : members)
    member.json_name = member.note.json_name.empty() ? camel_case(member.member)
                                                     : std::string(member.note.json_name);
  return {.name = std::string(schema_prefix) + std::string(type_name),
          .members = std::move(members)};
}

void decode_struct(const StructTable& table, void* view, const json::Value& value, const Path& path,
                   Findings& findings) {
  if (!value.is_object()) return wrong_type("object", value, path, findings);
  const json::Object& object = value.get_object();
  for (const MemberTable& member : table.members) {
    const Path at{.parent = &path, .text = member.json_name};
    const json::Value* field = object.if_contains(member.json_name);
    if (field == nullptr || field->is_null()) {
      if (member.note.required) findings.required(at.str());
      continue;
    }
    member.ops->decode(member.at(view), *field, at, findings);
  }
}

void update_struct(const StructTable& table, json::Object& document, const void* view) {
  for (const MemberTable& member : table.members) {
    const void* said = member_at(member, view);
    json::Value* before = document.if_contains(member.json_name);
    if ((!member.note.required || member.pointer) && member.ops->empty(said)) {
      if (before != nullptr && !member.ops->reads_empty(*before))
        json::erase(document, member.json_name);
    } else {
      member.ops->update(before != nullptr ? *before : document[member.json_name], said,
                         member.note);
    }
  }
}

bool struct_is_empty(const StructTable& table, const void* view) {
  return std::ranges::all_of(table.members, [&](const MemberTable& member) {
    return member.ops->empty(member_at(member, view));
  });
}

const Schema* struct_schema(const StructTable& table, SchemaSet& schemas) {
  if (const Schema* known = schemas.find(table.name)) return known;
  Schema& schema = schemas.add({.name = table.name, .shape = Shape::kObject});
  for (const MemberTable& member : table.members) {
    Field field{.name = member.json_name,
                .type = member.ops->schema(schemas, member.note),
                .required = member.note.required,
                .omit_empty = !member.note.required,
                .pointer = member.pointer};
    field.patch.merge = !member.note.merge_key.empty();
    field.patch.merge_key = member.note.merge_key;
    if (!member.note.fallback.empty()) {
      Result<json::Value> fallback = json::read(member.note.fallback);
      SLIPWAY_ASSERT(fallback.has_value());
      field.default_value = *std::move(fallback);
    }
    schema.fields.push_back(std::move(field));
  }
  return &schema;
}

const Schema* list_schema(SchemaSet& schemas, const Schema* element, const FieldNote& note) {
  Schema list{.shape = Shape::kList, .element = element};
  list.map_keys = words(note.map_keys);
  list.list_type = note.set                ? ListType::kSet
                   : list.map_keys.empty() ? ListType::kAtomic
                                           : ListType::kMap;
  return &schemas.add(std::move(list));
}

const Schema* map_schema(SchemaSet& schemas, const Schema* element) {
  return &schemas.add({.shape = Shape::kMap, .element = element});
}

const Schema* constrained(SchemaSet& schemas, const Schema* base, const FieldNote& note) {
  if (note.one_of.empty() && note.pattern.empty() && !note.minimum && !note.maximum) return base;
  Schema schema = *base;
  schema.enumeration = words(note.one_of);
  schema.pattern = note.pattern;
  schema.minimum = note.minimum;
  schema.maximum = note.maximum;
  return &schemas.add(std::move(schema));
}

void drop_keys(json::Object& object, const std::function<bool(std::string_view)>& unwanted) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object)
    if (unwanted(key)) keys.emplace_back(key);
  for (const std::string& key : keys) json::erase(object, key);
}

json::Value* match_element(json::Array& old, std::size_t position, const json::Value& fresh,
                           const FieldNote& note) {
  const json::Value* key = !note.merge_key.empty() && fresh.is_object()
                               ? fresh.get_object().if_contains(note.merge_key)
                               : nullptr;
  if (key == nullptr) return position < old.size() ? &old[position] : nullptr;
  for (json::Value& element : old) {
    // Elements already taken over are moved from, and so no longer objects with a key.
    const json::Value* theirs =
        element.is_object() ? element.get_object().if_contains(note.merge_key) : nullptr;
    if (theirs != nullptr && *theirs == *key) return &element;
  }
  return nullptr;
}

void wrong_type(std::string_view wanted, const json::Value& value, const Path& path,
                Findings& findings) {
  findings.wrong_type(path.str(), value, wanted);
}

std::unexpected<Error> failure(Findings findings) {
  SLIPWAY_ASSERT(!findings.empty());
  const Cause first = findings.causes.front();
  return fail(Error{.code = ErrorCode::kInvalid,
                    .message = first.message,
                    .where = first.field,
                    .causes = std::move(findings.causes)});
}

}  // namespace codec
}  // namespace slipway::api
