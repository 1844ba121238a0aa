#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "api/rules/validate.h"
#include "api/schema/field_path.h"
#include "api/schema/formats.h"
#include "api/schema/list_keys.h"
#include "api/schema/pattern.h"
#include "api/schema/type_word.h"
#include "base/quantity.h"
#include "base/utf8.h"

// Values against schemas, in the words kube-apiserver has for custom resources.
namespace slipway::api {

namespace {

bool is_whole(const json::Value& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::isfinite(value.get_double()) &&
         std::trunc(value.get_double()) == value.get_double();
}

bool has_type(const json::Value& value, Shape shape) {
  switch (shape) {
    case Shape::kAny:
      return true;
    case Shape::kObject:
    case Shape::kMap:
      return value.is_object();
    case Shape::kList:
      return value.is_array();
    case Shape::kInt32:
    case Shape::kInt64:
      return is_whole(value);
    case Shape::kDouble:
      return value.is_number();
    case Shape::kBool:
      return value.is_bool();
    case Shape::kQuantity:
      return value.is_string() || value.is_number();
    case Shape::kIntOrString:
      return value.is_string() || is_whole(value);
    default:
      return value.is_string();
  }
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count)
    text.remove_prefix(std::max<std::size_t>(1, utf8::length_of_first(text)));
  return count;
}

std::string number_text(double number) {
  std::string out;
  json::append_number(out, number);
  return out;
}

// RE2 takes an instruction of the pattern for a byte of the text, at worst. What all the texts of
// one object may take: seconds of it would hold up everybody else.
constexpr std::int64_t kMaxMatchingSteps = 1'000'000'000;

// The matching of one object. What there is no room for is found wrong in `findings`, which are
// those of the whole object: a junctor could take it for a text that does not match.
struct Matching {
  Findings& findings;
  std::int64_t steps_left = kMaxMatchingSteps;
};

class Checker {
 public:
  Checker(Findings& findings, Matching& matching) : findings_(findings), matching_(matching) {}

  void check(const json::Value& value, const Schema& schema, const FieldPath& path) {
    if (value.is_null()) {
      if (schema.shape != Shape::kAny && !schema.nullable)
        findings_.wrong_type(path.text(), value, type_word(schema.shape));
      return check_enum(value, schema, path);
    }
    if (!has_type(value, schema.shape)) wrong_type(value, schema, path);
    check_junctors(value, schema, path);
    if (value.is_string()) check_string(value, schema, path);
    if (value.is_number()) check_number(value, schema, path);
    if (value.is_array()) check_list(value, schema, path);
    check_enum(value, schema, path);
    if (value.is_object()) check_object(value.get_object(), schema, path);
  }

  void check_object(const json::Object& object, const Schema& schema, const FieldPath& path) {
    auto count = static_cast<std::int64_t>(object.size());
    if (schema.min_properties && count < *schema.min_properties) {
      invalid(path, count, fmt::format("have at least {} properties", *schema.min_properties));
    }
    if (schema.max_properties && count > *schema.max_properties) {
      findings_.too_many(
          path.text(), object.size(),
          static_cast<std::size_t>(std::max<std::int64_t>(0, *schema.max_properties)));
    }
    std::size_t found = 0;
    for (const auto& entry : object) {
      std::string_view key(entry.key().data(), entry.key().size());
      if (const Field* field = schema.find(key)) {
        found += field->required ? 1 : 0;
        check(entry.value(), *field->type, FieldPath(path, field->name));
      } else if (schema.shape == Shape::kMap) {
        check(entry.value(), *schema.element, FieldPath(path, key));
      }
    }
    check_required(object, schema, path, found);
  }

 private:
  void wrong_type(const json::Value& value, const Schema& schema, const FieldPath& path) {
    std::string_view format = format_of(schema);
    if (format.empty() || !is_known_format(format) || value.is_array() ||
        schema.shape == Shape::kInt64) {
      return findings_.wrong_type(path.text(), value, type_word(schema.shape));
    }
    // With a format, Kubernetes compares formats, of which most values have none.
    std::string_view got = value.is_double() ? "float64" : value.is_number() ? "int64" : "";
    std::string field = path.text();
    findings_.add({"FieldValueTypeInvalid",
                   fmt::format("Invalid value: \"{1}\": {0} in body must be of type {2}: \"{1}\"",
                               field, got, format),
                   field});
  }

  // "spec.x in body should …"
  void invalid(const FieldPath& path, const json::Value& value, std::string_view should) {
    std::string field = path.text();
    std::string detail = fmt::format("{} in body should {}", field, should);
    findings_.invalid(std::move(field), value, std::move(detail));
  }

  void check_string(const json::Value& value, const Schema& schema, const FieldPath& path) {
    std::string_view text(value.get_string().data(), value.get_string().size());
    if (schema.min_length &&
        count_characters(text) <
            static_cast<std::size_t>(std::max<std::int64_t>(0, *schema.min_length))) {
      invalid(path, value, fmt::format("be at least {} chars long", *schema.min_length));
    }
    if (schema.max_length &&
        static_cast<std::int64_t>(count_characters(text)) > *schema.max_length) {
      findings_.too_long(path.text(),
                         static_cast<std::size_t>(std::max<std::int64_t>(0, *schema.max_length)));
    }
    if (schema.compiled != nullptr) check_pattern(value, text, schema, path);
    if (schema.shape == Shape::kQuantity && !Quantity::parse(text)) {
      invalid(path, value, fmt::format("match '{}'", kQuantityPattern));
    }
    std::string_view format = format_of(schema);
    if (!format.empty() && !has_format(text, format)) {
      std::string field = path.text();
      std::string detail =
          fmt::format("{} in body must be of type {}: {}", field, format, json::write(value));
      findings_.invalid(std::move(field), value, std::move(detail));
    }
  }

  void check_pattern(const json::Value& value, std::string_view text, const Schema& schema,
                     const FieldPath& path) {
    const std::int64_t size = schema.compiled->size();
    const std::int64_t steps = static_cast<std::int64_t>(text.size()) * size;
    if (steps > matching_.steps_left) {
      return matching_.findings.add(
          {"FieldValueTooLong",
           fmt::format("Too long: {} bytes; at most {} can be matched with '{}'", text.size(),
                       matching_.steps_left / size, schema.pattern),
           path.text()});
    }
    matching_.steps_left -= steps;
    if (!schema.compiled->matches(text))
      invalid(path, value, fmt::format("match '{}'", schema.pattern));
  }

  static std::string_view format_of(const Schema& schema) {
    if (schema.shape == Shape::kTime || schema.shape == Shape::kMicroTime) return "date-time";
    return schema.shape == Shape::kBytes ? "byte" : std::string_view(schema.format);
  }

  void check_number(const json::Value& value, const Schema& schema, const FieldPath& path) {
    boost::json::error_code ignored;
    double number = value.to_number<double>(ignored);
    auto at_most = [&](double limit, bool exclusive) {
      if (exclusive ? number >= limit : number > limit) {
        invalid(
            path, value,
            fmt::format("be less than {}{}", exclusive ? "" : "or equal to ", number_text(limit)));
      }
    };
    auto at_least = [&](double limit, bool exclusive) {
      if (exclusive ? number <= limit : number < limit) {
        invalid(path, value,
                fmt::format("be greater than {}{}", exclusive ? "" : "or equal to ",
                            number_text(limit)));
      }
    };
    if (schema.multiple_of && *schema.multiple_of > 0) {
      double ratio = number / *schema.multiple_of;
      if (std::trunc(ratio) != ratio)
        invalid(path, value, "be a multiple of " + number_text(*schema.multiple_of));
    }
    if (schema.maximum) at_most(*schema.maximum, schema.exclusive_maximum);
    if (schema.minimum) at_least(*schema.minimum, schema.exclusive_minimum);
    if (schema.shape == Shape::kInt32) {
      at_most(std::numeric_limits<std::int32_t>::max(), false);
      at_least(std::numeric_limits<std::int32_t>::min(), false);
    }
  }

  void check_list(const json::Value& value, const Schema& schema, const FieldPath& path) {
    const json::Array& list = value.get_array();
    if (schema.shape == Shape::kList) {
      for (std::size_t i = 0; i < list.size(); ++i)
        check(list[i], *schema.element, FieldPath(path, i));
    }
    auto count = static_cast<std::int64_t>(list.size());
    if (schema.min_items && count < *schema.min_items) {
      invalid(path, count, fmt::format("have at least {} items", *schema.min_items));
    }
    if (schema.max_items && count > *schema.max_items) {
      findings_.too_many(path.text(), list.size(),
                         static_cast<std::size_t>(std::max<std::int64_t>(0, *schema.max_items)));
    }
    check_list_keys(list, schema, path, findings_);
  }

  void check_enum(const json::Value& value, const Schema& schema, const FieldPath& path) {
    if (schema.enumeration.empty() || (value.is_null() && schema.nullable)) return;
    std::string text = value.is_string() ? std::string(value.get_string()) : json::write(value);
    bool comparable = !value.is_string() || has_type(value, schema.shape);
    if (!comparable || std::ranges::find(schema.enumeration, text) == schema.enumeration.end()) {
      findings_.not_supported(path.text(), value, schema.enumeration);
    }
  }

  void check_required(const json::Object& object, const Schema& schema, const FieldPath& path,
                      std::size_t found) {
    for (const Field& field : schema.fields) {
      if (!field.required) continue;
      if (found > 0 && object.contains(field.name))
        --found;
      else
        findings_.required(FieldPath(path, field.name).text());
    }
    for (const std::string& name : schema.required_also) {
      if (!object.contains(name)) findings_.required(FieldPath(path, name).text());
    }
  }

  void check_junctors(const json::Value& value, const Schema& schema, const FieldPath& path) {
    if (!schema.any_of.empty()) check_any_of(value, schema, path);
    if (!schema.one_of.empty()) check_one_of(value, schema, path);
    if (!schema.all_of.empty()) check_all_of(value, schema, path);
    if (schema.negated != nullptr && fits(value, *schema.negated, path)) {
      composite(path, "must not validate the schema (not)");
    }
  }

  // Errors of junctors belong to no field: Kubernetes prints <nil>.
  void composite(const FieldPath& path, std::string_view must) {
    std::string quoted;
    json::append_string(quoted, path.text());
    findings_.invalid("<nil>", json::Value(""), fmt::format("{} {}", quoted, must));
  }

  Findings findings_in(const json::Value& value, const Schema& schema, const FieldPath& path) {
    Findings findings;
    Checker(findings, matching_).check(value, schema, path);
    return findings;
  }
  bool fits(const json::Value& value, const Schema& schema, const FieldPath& path) {
    return findings_in(value, schema, path).empty();
  }

  // Each member once: twice would be twice as often with each level of them.
  void check_any_of(const json::Value& value, const Schema& schema, const FieldPath& path) {
    std::optional<Findings> first;
    for (const Schema* member : schema.any_of) {
      Findings found = findings_in(value, *member, path);
      if (found.empty()) return;
      if (!first) first = std::move(found);
    }
    composite(path, "must validate at least one schema (anyOf)");
    for (Cause& cause : first->causes) findings_.add(std::move(cause));
  }

  void check_one_of(const json::Value& value, const Schema& schema, const FieldPath& path) {
    std::size_t valid = 0;
    std::optional<Findings> first;
    for (const Schema* member : schema.one_of) {
      Findings found = findings_in(value, *member, path);
      valid += found.empty() ? 1 : 0;
      if (!first) first = std::move(found);
    }
    if (valid == 1) return;
    composite(path, fmt::format("must validate one and only one schema (oneOf). {}",
                                valid == 0 ? "Found none valid"
                                           : fmt::format("Found {} valid alternatives", valid)));
    if (valid > 0) return;
    for (Cause& cause : first->causes) findings_.add(std::move(cause));
  }

  void check_all_of(const json::Value& value, const Schema& schema, const FieldPath& path) {
    std::size_t valid = 0;
    for (const Schema* member : schema.all_of) {
      std::size_t before = findings_.causes.size();
      check(value, *member, path);
      valid += findings_.causes.size() == before ? 1 : 0;
    }
    if (valid == schema.all_of.size()) return;
    composite(path, fmt::format("must validate all the schemas (allOf){}",
                                valid == 0 ? ". None validated" : ""));
  }

  Findings& findings_;
  Matching& matching_;
};

}  // namespace

void check(const json::Value& value, const Schema& schema, std::string_view path,
           Findings& findings) {
  Matching matching{findings};
  Checker(findings, matching).check(value, schema, FieldPath(path));
}

void check(const json::Object& object, const Schema& schema, Findings& findings) {
  Matching matching{findings};
  Checker(findings, matching).check_object(object, schema, FieldPath());
}

}  // namespace slipway::api
