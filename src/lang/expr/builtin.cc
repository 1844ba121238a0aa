#include "lang/expr/builtin.h"

#include <fmt/format.h>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/validate.h"

namespace slipway::lang::expr {

namespace {

namespace f = functions;

constexpr std::string_view kOfAny = "func(interface {}) string";
constexpr std::string_view kOfText = "func(string) string";
constexpr std::string_view kOfTexts = "func(string, string) string";
constexpr std::string_view kFinds = "func(string, string) int";
constexpr std::string_view kTests = "func(string, string) bool";
constexpr std::string_view kBits = "func(int, int) int";
constexpr std::string_view kSplits = "func(string, string) []string";
constexpr std::string_view kSplitsSome = "func(string, string, int) []string";

Builtin loop(std::string_view name, std::string_view type) {
  return {.name = name, .types = {type}, .predicate = true};
}

Builtin typed(std::string_view name, Work work, std::vector<std::string_view> types) {
  return {.name = name, .types = std::move(types), .work = work};
}

Builtin validated(std::string_view name, Work work, Validate validate) {
  return {.name = name, .work = work, .validate = validate};
}

std::vector<Builtin> make_loops() {
  constexpr std::string_view kTest = "func([]interface {}, func(interface {}) bool) bool";
  constexpr std::string_view kFind = "func([]interface {}, func(interface {}) bool) interface {}";
  constexpr std::string_view kIndex = "func([]interface {}, func(interface {}) bool) int";
  return {
      loop("all", kTest),
      loop("none", kTest),
      loop("any", kTest),
      loop("one", kTest),
      loop("filter", "func([]interface {}, func(interface {}) bool) []interface {}"),
      loop("map", "func([]interface {}, func(interface {}) interface {}) []interface {}"),
      loop("find", kFind),
      loop("findIndex", kIndex),
      loop("findLast", kFind),
      loop("findLastIndex", kIndex),
      loop("count", kIndex),
      loop("sum", kIndex),
      loop("groupBy",
           "func([]interface {}, func(interface {}) interface {}) map[interface {}][]interface {}"),
      loop("sortBy", "func([]interface {}, func(interface {}) bool, string) []interface {}"),
      loop("reduce",
           "func([]interface {}, func(interface {}, interface {}) interface {}, interface {}) "
           "interface {}"),
  };
}

std::vector<Builtin> make_numbers() {
  return {
      validated("len", f::len, validate_len),       typed("type", f::type, {kOfAny}),
      validated("abs", f::abs, validate_abs),       validated("ceil", f::ceil, validate_ceil),
      validated("floor", f::floor, validate_floor), validated("round", f::round, validate_round),
      validated("int", f::to_int, validate_int),    validated("float", f::to_float, validate_float),
      validated("max", f::max, validate_max),       validated("min", f::min, validate_min),
      validated("mean", f::mean, validate_mean),    validated("median", f::median, validate_median),
      typed("bitand", f::bitand_, {kBits}),         typed("bitor", f::bitor_, {kBits}),
      typed("bitxor", f::bitxor, {kBits}),          typed("bitnand", f::bitnand, {kBits}),
      typed("bitshl", f::bitshl, {kBits}),          typed("bitshr", f::bitshr, {kBits}),
      typed("bitushr", f::bitushr, {kBits}),        typed("bitnot", f::bitnot, {"func(int) int"}),
  };
}

std::vector<Builtin> make_texts() {
  return {
      typed("string", f::to_string, {kOfAny}),
      typed("trim", f::trim, {kOfText, kOfTexts}),
      typed("trimPrefix", f::trim_prefix, {kOfTexts, kOfText}),
      typed("trimSuffix", f::trim_suffix, {kOfTexts, kOfText}),
      typed("upper", f::upper, {kOfText}),
      typed("lower", f::lower, {kOfText}),
      typed("split", f::split, {kSplits, kSplitsSome}),
      typed("splitAfter", f::split_after, {kSplits, kSplitsSome}),
      typed("replace", f::replace,
            {"func(string, string, string, int) string", "func(string, string, string) string"}),
      typed("repeat", f::repeat, {"func(string, int) string"}),
      typed("join", f::join,
            {"func([]string, string) string", "func([]interface {}, string) string",
             "func([]interface {}) string", "func([]string, string) string",
             "func([]string) string"}),
      typed("indexOf", f::index_of, {kFinds}),
      typed("lastIndexOf", f::last_index_of, {kFinds}),
      typed("hasPrefix", f::has_prefix, {kTests}),
      typed("hasSuffix", f::has_suffix, {kTests}),
      typed("toJSON", f::to_json, {kOfAny}),
      typed("fromJSON", f::from_json, {"func(string) interface {}"}),
      typed("toBase64", f::to_base64, {kOfText}),
      typed("fromBase64", f::from_base64, {kOfText}),
      validated("now", f::now, validate_now),
      typed("duration", f::duration, {"func(string) (time.Duration, error)"}),
      validated("date", f::date, validate_date),
      typed("timezone", f::timezone, {"func(string) (*time.Location, error)"}),
  };
}

std::vector<Builtin> make_lists() {
  return {
      validated("first", f::first, validate_first),
      validated("last", f::last, validate_last),
      {.name = "get", .work = f::get},
      validated("take", f::take, validate_take),
      validated("keys", f::keys, validate_keys),
      validated("values", f::values, validate_values),
      validated("toPairs", f::to_pairs, validate_to_pairs),
      validated("fromPairs", f::from_pairs, validate_from_pairs),
      validated("reverse", f::reverse, validate_reverse),
      validated("uniq", f::uniq, validate_uniq),
      validated("concat", f::concat, validate_concat),
      validated("flatten", f::flatten, validate_flatten),
      typed("sort", f::sort,
            {"func([]interface {}, string) []interface {}", "func([]int, string) []interface {}",
             "func([]float64, string) []interface {}", "func([]string, string) []interface {}",
             "func([]interface {}) []interface {}", "func([]float64) []interface {}",
             "func([]string) []interface {}", "func([]int) []interface {}"}),
  };
}

std::vector<Builtin> make_all() {
  std::vector<Builtin> all = make_loops();
  for (auto more : {make_numbers(), make_texts(), make_lists()})
    for (Builtin& builtin : more) all.push_back(std::move(builtin));
  return all;
}

}  // namespace

const Type* Builtin::type() const {
  return type_named(types.empty() ? "func(...interface {}) (interface {}, error)" : types[0]);
}

std::span<const Builtin> builtins() {
  static const std::vector<Builtin> all = make_all();
  return all;
}

const Builtin* find_builtin(std::string_view name) {
  for (const Builtin& builtin : builtins())
    if (builtin.name == name) return &builtin;
  return nullptr;
}

std::span<const EnvFunction> env_functions() {
  static constexpr EnvFunction kFunctions[] = {
      {"asInt", "func(interface {}) int64"},
      {"asFloat", "func(interface {}) float64"},
      {"isNaN", "func(float64) bool", true},
      {"isInf", "func(float64) bool", true},
      {"isNil", "func(interface {}) bool"},
      {"default", "func(interface {}, interface {}) interface {}"},
  };
  return kFunctions;
}

std::string Method::method_type() const {
  const bool more = !type.starts_with("func()");
  return fmt::format("func({}{}{}", receiver, more ? ", " : "", type.substr(5));
}

const Method* find_method(const Type* receiver, std::string_view name) {
  for (const Method& method : methods())
    if (method.name == name && receiver && method.receiver == receiver->name) return &method;
  return nullptr;
}

void not_of_type(const Value& value, std::string_view wanted) {
  panic(fmt::format("interface conversion: interface {{}} is {}, not {}",
                    value.type() ? value.type_name() : "nil", wanted));
}

const std::string& text_argument(const Value& value) {
  if (value.type() != types().text) not_of_type(value, "string");
  return value.text();
}

double number_argument(const Value& value) {
  if (value.type() != types().number) not_of_type(value, "float64");
  return value.number();
}

bool bool_argument(const Value& value) {
  if (value.type() != types().boolean) not_of_type(value, "bool");
  return value.boolean();
}

std::int64_t integer_of(const Value& value) {
  if (!value.is_number()) panic(fmt::format("invalid operation: int({})", value.type_name()));
  return value.as_integer();
}

}  // namespace slipway::lang::expr
