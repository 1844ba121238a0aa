#include "lang/expr/validate.h"

#include <fmt/format.h>

#include <initializer_list>

#include "lang/expr/failure.h"

namespace slipway::lang::expr {

namespace {

// How Go prints a type that is not there.
std::string name_of(const Type* type) { return type ? type->name : "%!s(<nil>)"; }

void require_count(ArgumentTypes arguments, std::size_t wanted) {
  if (arguments.size() != wanted)
    panic(
        fmt::format("invalid number of arguments (expected {}, got {})", wanted, arguments.size()));
}

bool is_any(const Type* type, std::initializer_list<Kind> kinds) {
  if (!type) return false;
  for (const Kind kind : kinds)
    if (type->kind == kind) return true;
  return false;
}

// By kind, so time.Duration is one too.
bool is_numeric(const Type* type) {
  return is_any(type, {Kind::kFloat64, Kind::kInt, Kind::kInt64, Kind::kUint8});
}

bool is_unknown(const Type* type) { return is_any(type, {Kind::kInterface}); }

bool is_list_or_unknown(const Type* type) {
  return is_any(type, {Kind::kInterface, Kind::kSlice, Kind::kArray});
}

const Type* rounded(std::string_view name, ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (!is_numeric(arguments[0]) && !is_unknown(arguments[0]))
    panic(fmt::format("invalid argument for {} (type {})", name, name_of(arguments[0])));
  return types().number;
}

const Type* converted(std::string_view name, ArgumentTypes arguments, const Type* to) {
  require_count(arguments, 1);
  const Type* from = arguments[0];
  if (!is_numeric(from) && !is_any(from, {Kind::kInterface, Kind::kString}))
    panic(fmt::format("invalid argument for {} (type {})", name, name_of(from)));
  return to;
}

const Type* aggregated(std::string_view name, ArgumentTypes arguments) {
  if (arguments.empty()) panic(fmt::format("not enough arguments to call {}", name));
  for (const Type* argument : arguments) {
    if (is_list_or_unknown(argument)) return types().any;
    if (!is_numeric(argument))
      panic(fmt::format("invalid argument for {} (type {})", name, name_of(argument)));
  }
  return arguments[0];
}

const Type* element(std::string_view which, ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (is_unknown(arguments[0])) return types().any;
  if (is_list_or_unknown(arguments[0])) return arguments[0]->elem;
  panic(fmt::format("cannot get {} element from {}", which, name_of(arguments[0])));
}

const Type* of_map(std::string_view before, std::string_view after, ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (!is_any(arguments[0], {Kind::kInterface, Kind::kMap}))
    panic(fmt::format("{} {}{}", before, name_of(arguments[0]), after));
  return types().anys;
}

const Type* of_list(std::string_view verb, ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (!is_list_or_unknown(arguments[0]))
    panic(fmt::format("cannot {} {}", verb, name_of(arguments[0])));
  return types().anys;
}

}  // namespace

const Type* validate_len(ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (!is_list_or_unknown(arguments[0]) && !is_any(arguments[0], {Kind::kMap, Kind::kString}))
    panic(fmt::format("invalid argument for len (type {})", name_of(arguments[0])));
  return types().integer;
}

const Type* validate_abs(ArgumentTypes arguments) {
  rounded("abs", arguments);
  return arguments[0];
}

const Type* validate_ceil(ArgumentTypes arguments) { return rounded("ceil", arguments); }
const Type* validate_floor(ArgumentTypes arguments) { return rounded("floor", arguments); }
const Type* validate_round(ArgumentTypes arguments) { return rounded("round", arguments); }

const Type* validate_int(ArgumentTypes arguments) {
  return converted("int", arguments, types().integer);
}

const Type* validate_float(ArgumentTypes arguments) {
  return converted("float", arguments, types().number);
}

const Type* validate_max(ArgumentTypes arguments) { return aggregated("max", arguments); }
const Type* validate_min(ArgumentTypes arguments) { return aggregated("min", arguments); }
const Type* validate_mean(ArgumentTypes arguments) { return aggregated("mean", arguments); }
const Type* validate_median(ArgumentTypes arguments) { return aggregated("median", arguments); }

const Type* validate_now(ArgumentTypes arguments) {
  if (!arguments.empty() && !(arguments.size() == 1 && arguments[0] == types().location))
    require_count(arguments, 0);
  return types().time;
}

const Type* validate_date(ArgumentTypes arguments) {
  if (arguments.empty()) panic("invalid number of arguments (expected at least 1, got 0)");
  if (arguments[0] == types().location) arguments = arguments.subspan(1);
  if (arguments.size() > 3)
    panic(
        fmt::format("invalid number of arguments (expected at most 3, got {})", arguments.size()));
  return types().time;
}

const Type* validate_first(ArgumentTypes arguments) { return element("first", arguments); }
const Type* validate_last(ArgumentTypes arguments) { return element("last", arguments); }

const Type* validate_take(ArgumentTypes arguments) {
  require_count(arguments, 2);
  if (!is_list_or_unknown(arguments[0]))
    panic(fmt::format("cannot take from {}", name_of(arguments[0])));
  if (!is_any(arguments[1], {Kind::kInterface, Kind::kInt, Kind::kInt64}))
    panic(fmt::format("cannot take {} elements", name_of(arguments[1])));
  return arguments[0];
}

const Type* validate_keys(ArgumentTypes arguments) {
  return of_map("cannot get keys from", "", arguments);
}

const Type* validate_values(ArgumentTypes arguments) {
  return of_map("cannot get values from", "", arguments);
}

const Type* validate_to_pairs(ArgumentTypes arguments) {
  return of_map("cannot transform", " to pairs", arguments);
}

const Type* validate_from_pairs(ArgumentTypes arguments) {
  require_count(arguments, 1);
  if (!is_list_or_unknown(arguments[0]))
    panic(fmt::format("cannot transform {} from pairs", name_of(arguments[0])));
  return types().any_map;
}

const Type* validate_reverse(ArgumentTypes arguments) { return of_list("reverse", arguments); }
const Type* validate_uniq(ArgumentTypes arguments) { return of_list("uniq", arguments); }
const Type* validate_flatten(ArgumentTypes arguments) { return of_list("flatten", arguments); }

const Type* validate_concat(ArgumentTypes arguments) {
  if (arguments.empty()) panic("invalid number of arguments (expected at least 1, got 0)");
  for (const Type* argument : arguments)
    if (!is_list_or_unknown(argument)) panic(fmt::format("cannot concat {}", name_of(argument)));
  return types().anys;
}

}  // namespace slipway::lang::expr
