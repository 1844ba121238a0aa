#include <fmt/format.h>
#include <limits>

#include "api/schema/field_path.h"
#include "api/wire/go_types.h"
#include "base/base64.h"
#include "base/instant.h"
#include "base/quantity.h"

namespace slipway::api {

namespace {

std::string_view last_part(std::string_view name, int parts) {
  std::size_t dot = name.size();
  for (int i = 0; i < parts && dot != std::string_view::npos; ++i) dot = name.rfind('.', dot - 1);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string go_type(const Schema& schema) {
  switch (schema.shape) {
    case Shape::kObject:
      return std::string(last_part(schema.name, 2));
    case Shape::kMap:
      return "map[string]" + go_type(*schema.element);
    case Shape::kList:
      return "[]" + go_type(*schema.element);
    case Shape::kInt32:
      return "int32";
    case Shape::kInt64:
      return "int64";
    case Shape::kDouble:
      return "float64";
    case Shape::kBool:
      return "bool";
    case Shape::kBytes:
      return "[]uint8";
    default:
      return "string";
  }
}

std::string_view go_word(const json::Value& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  return value.is_bool() ? "bool" : "number";
}

const Schema kInt32{.shape = Shape::kInt32};

// The layout of MicroTime has six digits after the point, no more and no less.
bool has_micros(std::string_view text) {
  constexpr std::size_t kPoint = 19;
  return text.size() > kPoint + 7 && text[kPoint] == '.' &&
         text.substr(kPoint + 1).find_first_not_of("0123456789") == 6;
}

// Go's time that is none, which it writes as null.
bool is_go_zero(const Instant& time) {
  using namespace std::chrono;
  return time.whole == sys_days(year(1) / January / 1) && time.nanosecond == 0;
}

// A pass over the object in the order of its text, like the decoder's.
class Decoder {
 public:
  void decode_fields(json::Object& object, const Schema& schema, const FieldPath& path) {
    bool nulls = false;
    const Schema* outer = std::exchange(struct_, &schema);
    for (auto& entry : object) {
      const Field* field = schema.find(entry.key());
      if (field == nullptr) continue;
      if (!entry.value().is_null())
        decode(entry.value(), *field->type, FieldPath(path, field->name));
      nulls = nulls || entry.value().is_null();
    }
    struct_ = outer;
    if (nulls) drop_nulls(object);
  }

  std::optional<std::string> problem;

 private:
  void decode(json::Value& value, const Schema& schema, const FieldPath& path) {
    switch (schema.shape) {
      case Shape::kAny:
        return;
      case Shape::kObject:
        if (!value.is_object()) return mismatch(go_word(value), schema, path);
        return decode_fields(value.get_object(), schema, path);
      case Shape::kMap:
        if (!value.is_object()) return mismatch(go_word(value), schema, path);
        for (auto& entry : value.get_object()) decode_element(entry.value(), *schema.element, path);
        return;
      case Shape::kList:
        if (!value.is_array()) return mismatch(go_word(value), schema, path);
        for (json::Value& item : value.get_array()) decode_element(item, *schema.element, path);
        return;
      case Shape::kInt32:
      case Shape::kInt64:
        return decode_integer(value, schema, path);
      case Shape::kDouble:
        if (!value.is_number()) mismatch(go_word(value), schema, path);
        return;
      case Shape::kBool:
        if (!value.is_bool()) mismatch(go_word(value), schema, path);
        return;
      case Shape::kQuantity:
        return decode_quantity(value);
      case Shape::kIntOrString:
        if (!value.is_string()) decode_integer(value, kInt32, path);
        return;
      case Shape::kString:
      case Shape::kBytes:
      case Shape::kTime:
      case Shape::kMicroTime:
        return decode_text(value, schema, path);
    }
  }

  // A null item is the zero value of its type.
  void decode_element(json::Value& value, const Schema& schema, const FieldPath& path) {
    if (!value.is_null()) return decode(value, schema, path);
    if (schema.shape == Shape::kString) value = "";
    if (schema.shape == Shape::kObject) value.emplace_object();
    if (schema.shape == Shape::kQuantity) value = "0";
  }

  void decode_integer(const json::Value& value, const Schema& schema, const FieldPath& path) {
    if (!value.is_number()) return mismatch(go_word(value), schema, path);
    bool fits = value.is_int64();
    if (fits && schema.shape == Shape::kInt32) {
      fits = value.get_int64() >= std::numeric_limits<std::int32_t>::min() &&
             value.get_int64() <= std::numeric_limits<std::int32_t>::max();
    }
    if (!fits) mismatch("number " + json::write(value), schema, path);
  }

  void decode_quantity(json::Value& value) {
    std::string text = value.is_string() ? std::string(value.get_string()) : json::write(value);
    // As Go reads it from JSON: blanks around it are nothing.
    const auto begin = text.find_first_not_of(" \t\n\r");
    const auto end = text.find_last_not_of(" \t\n\r");
    auto quantity =
        Quantity::parse(begin == std::string::npos ? text : text.substr(begin, end - begin + 1));
    if (!quantity) return report(quantity.error().message);
    value = quantity->canonical();
  }

  void decode_text(json::Value& value, const Schema& schema, const FieldPath& path) {
    if (!value.is_string()) return mismatch(go_word(value), schema, path);
    std::string_view text(value.get_string().data(), value.get_string().size());
    if (schema.shape == Shape::kBytes) {
      if (auto bytes = base64_decode(text); !bytes) report(bytes.error().message);
    } else if (schema.shape != Shape::kString) {
      const auto time = parse_instant(text);
      const bool fits = time && (schema.shape == Shape::kTime || has_micros(text));
      if (!fits) return report(unparsable_time(text, schema.shape));
      value = schema.shape == Shape::kTime ? format_instant(*time) : format_micro_instant(*time);
      if (is_go_zero(*time)) value = nullptr;
    }
  }

  static std::string unparsable_time(std::string_view text, Shape shape) {
    std::string_view layout =
        shape == Shape::kTime ? "2006-01-02T15:04:05Z07:00" : "2006-01-02T15:04:05.000000Z07:00";
    if (shape == Shape::kMicroTime && parse_instant(text)) {
      return fmt::format("parsing time \"{}\" as \"{}\": cannot parse \"{}\" as \".000000\"", text,
                         layout, text.substr(19));
    }
    return fmt::format("parsing time \"{0}\" as \"{1}\": cannot parse \"{0}\" as \"2006\"", text,
                       layout);
  }

  void mismatch(std::string_view what, const Schema& schema, const FieldPath& path) {
    report(fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", what,
                       last_part(struct_->name, 1), path.text_without_indexes(), go_type(schema)));
  }

  void report(std::string text) {
    if (!problem) problem = std::move(text);
  }

  static void drop_nulls(json::Object& object) {
    std::vector<std::string> keys;
    for (auto& entry : object) {
      if (entry.value().is_null()) keys.emplace_back(entry.key());
    }
    for (const std::string& key : keys) json::erase(object, key);
  }

  const Schema* struct_ = nullptr;
};

}  // namespace

std::optional<std::string> go_decode(json::Object& object, const Schema& schema) {
  Decoder decoder;
  decoder.decode_fields(object, schema, FieldPath());
  return std::move(decoder.problem);
}

}  // namespace slipway::api
