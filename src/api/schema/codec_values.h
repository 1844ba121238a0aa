#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "api/schema/codec.h"

// Reading and writing of single values, and the frame all types share. Included by
// api/schema/codec_ops.h only.
namespace slipway::api::codec {

// Single values: reading (false: wrong type), writing, zero, and the schema.
#define SLIPWAY_SINGLE_VALUE(Type)                      \
  bool read_value(const json::Value& value, Type& out); \
  json::Value write_value(const Type& value);           \
  bool is_zero(const Type& value);                      \
  std::string_view wanted(const Type*);                 \
  const Schema* value_schema(SchemaSet& schemas, const Type*)
SLIPWAY_SINGLE_VALUE(std::string);
SLIPWAY_SINGLE_VALUE(bool);
SLIPWAY_SINGLE_VALUE(std::int32_t);
SLIPWAY_SINGLE_VALUE(std::int64_t);
SLIPWAY_SINGLE_VALUE(double);
SLIPWAY_SINGLE_VALUE(Time);
SLIPWAY_SINGLE_VALUE(IntOrString);
SLIPWAY_SINGLE_VALUE(GoDuration);
SLIPWAY_SINGLE_VALUE(QuantityText);
#undef SLIPWAY_SINGLE_VALUE
// Values kept as JSON: anything, a free-form object, or one of Kubernetes' own types by name.
const Schema* kept_schema(SchemaSet& schemas, const json::Value*);
const Schema* kept_schema(SchemaSet& schemas, const FreeForm*);
const Schema* builtin_schema(SchemaSet& schemas, std::string_view name);
void wrong_type(std::string_view wanted, const json::Value& value, const Path& path,
                Findings& findings);

template <class T>
struct Ops;  // decode, update, empty, schema of one type: see TypeOps
template <class T>
bool reads_empty(const json::Value& document) {
  T view{};
  Findings findings;
  Ops<T>::decode(view, document, Path{}, findings);
  return findings.empty() && Ops<T>::empty(view);
}
template <class T>
inline constexpr TypeOps kOps = {
    .decode =
        [](void* view, const json::Value& value, const Path& path, Findings& findings) {
          Ops<T>::decode(*static_cast<T*>(view), value, path, findings);
        },
    .update =
        [](json::Value& document, const void* view, const FieldNote& note) {
          Ops<T>::update(document, *static_cast<const T*>(view), note);
        },
    .empty = [](const void* view) { return Ops<T>::empty(*static_cast<const T*>(view)); },
    .reads_empty = &reads_empty<T>,
    .schema = [](SchemaSet& schemas,
                 const FieldNote& note) { return Ops<T>::schema(schemas, note); },
};

template <class T>
concept SingleValue = requires(T out, const json::Value& value) {
  { codec::read_value(value, out) } -> std::same_as<bool>;
};
template <SingleValue T>
struct Ops<T> {
  static void decode(T& view, const json::Value& value, const Path& path, Findings& findings) {
    if (!value.is_null() && !read_value(value, view))
      wrong_type(wanted(&view), value, path, findings);
  }
  static void update(json::Value& document, const T& view, const FieldNote&) {
    T said{};
    if (document.is_null() || !read_value(document, said) || !(said == view))
      document = write_value(view);
  }
  static bool empty(const T& view) { return is_zero(view); }
  static const Schema* schema(SchemaSet& schemas, const FieldNote& note) {
    return constrained(schemas, value_schema(schemas, static_cast<const T*>(nullptr)), note);
  }
};

// json::Value itself, FreeForm and Builtin.
template <class T>
concept KeptJson = std::same_as<T, json::Value> || requires(T kept) {
  { kept.value } -> std::same_as<json::Value&>;
};
template <KeptJson T>
struct Ops<T> {
  static auto& value_in(auto& view) {
    if constexpr (std::same_as<T, json::Value>)
      return view;
    else
      return view.value;
  }
  static void decode(T& view, const json::Value& value, const Path&, Findings&) {
    value_in(view) = value;
  }
  static void update(json::Value& document, const T& view, const FieldNote&) {
    if (!json::same(document, value_in(view))) document = value_in(view);
  }
  static bool empty(const T& view) { return value_in(view).is_null(); }
  static const Schema* schema(SchemaSet& schemas, const FieldNote&) {
    if constexpr (requires { T::kName; })
      return builtin_schema(schemas, T::kName);
    else
      return kept_schema(schemas, static_cast<const T*>(nullptr));
  }
};

}  // namespace slipway::api::codec
