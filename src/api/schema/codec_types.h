#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/rules/validate.h"
#include "api/schema/schema.h"
#include "api/schema/value_types.h"

// The machinery under api/schema/codec.h: what can be said of a field, and for each type a small
// table of functions, so that all logic is compiled once (codec.cc) and structs only cost tables.
namespace slipway::api {

// What a member's type cannot say.
struct FieldNote {
  std::string_view json_name = {};  // where camelCase is wrong: podIP
  bool required = false;
  std::string_view fallback = {};  // the schema's default, as JSON text: "\"5m\""
  std::string_view one_of = {};    // allowed texts, separated by blanks
  std::string_view pattern = {};
  std::optional<double> minimum = {}, maximum = {};
  std::string_view merge_key = {};  // strategic merge and update_into match list elements by it
  std::string_view map_keys = {};   // list type map, its keys separated by blanks
  bool set = false;                 // list type set
};
struct Note {
  std::string_view member;
  FieldNote says = {};
};
// Specialise with `static constexpr Note notes[]`.
template <class T>
struct Annotations {};

// Schema::format of GoDuration. Kubernetes ignores formats it does not know, so that `{{args.x}}`
// passes admission.
inline constexpr std::string_view kGoDurationFormat = "go-duration";

namespace codec {

inline constexpr std::ptrdiff_t kField = -1, kMapKey = -2;

// A field path as a chain on the stack: text is only made when there is something to say.
struct Path {
  const Path* parent = nullptr;
  std::string_view text = {};     // of a field or map key, or the whole path of the root
  std::ptrdiff_t index = kField;  // of a list element, or what else it is
  std::string str() const;
};

struct TypeOps {
  void (*decode)(void* view, const json::Value& value, const Path& path, Findings& findings);
  void (*update)(json::Value& document, const void* view, const FieldNote& note);
  bool (*empty)(const void* view);  // absent and this are the same
  bool (*reads_empty)(const json::Value& document);
  const Schema* (*schema)(SchemaSet& schemas, const FieldNote& note);
};

struct MemberTable {
  std::string_view member;
  void* (*at)(void* object);
  const TypeOps* ops;
  bool pointer = false;
  std::string json_name = {};
  FieldNote note = {};
};
struct StructTable {
  std::string name;  // of its schema
  std::vector<MemberTable> members;
};
// Names, notes and sanity: every note must speak of a member.
StructTable make_table(std::string_view schema_prefix, std::string_view type_name,
                       std::vector<MemberTable> members, std::span<const Note> notes);

void decode_struct(const StructTable& table, void* view, const json::Value& value, const Path& path,
                   Findings& findings);
void update_struct(const StructTable& table, json::Object& document, const void* view);
bool struct_is_empty(const StructTable& table, const void* view);
const Schema* struct_schema(const StructTable& table, SchemaSet& schemas);
std::unexpected<Error> failure(Findings findings);

const Schema* list_schema(SchemaSet& schemas, const Schema* element, const FieldNote& note);
const Schema* map_schema(SchemaSet& schemas, const Schema* element);
bool parse_integer(std::string_view text, std::int64_t& out);
// `base`, or a copy of it with the note's constraints.
const Schema* constrained(SchemaSet& schemas, const Schema* base, const FieldNote& note);
void drop_keys(json::Object& object, const std::function<bool(std::string_view)>& unwanted);
// The element of `old` that the view element written as `fresh` was read from; null when it is new.
json::Value* match_element(json::Array& old, std::size_t position, const json::Value& fresh,
                           const FieldNote& note);

}  // namespace codec
}  // namespace slipway::api
