#include <fmt/format.h>

#include <cmath>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/number_text.h"
#include "lang/expr/operate.h"
#include "lang/template/runes.h"

namespace slipway::lang::expr::functions {

namespace {

constexpr std::int64_t kBits = 64;

Value rounded(std::string_view name, const Value& value, double (*round)(double)) {
  if (!value.is_number())
    panic(fmt::format("invalid argument for {} (type {})", name, value.type_name()));
  return Value(value.has(Kind::kFloat64) ? round(value.number()) : value.as_number());
}

std::int64_t bits_of(const Value& value, std::string_view name) {
  if (!value.type() || !value.type()->is_integer())
    panic(fmt::format("cannot use {} as argument (type int) to call {}", value.type_name(), name));
  return value.integer();
}

template <class Combine>
Value combined(Arguments arguments, std::string_view name, Combine combine) {
  const std::int64_t x = bits_of(arguments[0], name);
  return Value(static_cast<std::int64_t>(combine(x, bits_of(arguments[1], name))));
}

template <class Shift>
Value shifted(Arguments arguments, std::string_view name, Shift shift) {
  return combined(arguments, name, [shift](std::int64_t x, std::int64_t count) {
    if (count < 0)
      panic(fmt::format("invalid operation: negative shift count {} (type int)", count));
    return shift(x, count);
  });
}

}  // namespace

Value len(Arguments arguments, Budget&) {
  const Value& value = arguments[0];
  if (value.has(Kind::kString))
    return Value(static_cast<std::int64_t>(go::count_runes(value.text())));
  return Value(length_of(value));
}

Value type(Arguments arguments, Budget&) {
  const Type* type = arguments[0].type();
  if (!type) return Value("nil");
  if (!type->package_path.empty()) return Value(type->name);
  switch (type->kind) {
    case Kind::kInt64:
      return Value("int");
    case Kind::kUint8:
      return Value("uint");
    case Kind::kFloat64:
      return Value("float");
    case Kind::kSlice:
      return Value("array");
    case Kind::kPtr:
      return Value("unknown");
    default:
      return Value(kind_name(type->kind));
  }
}

Value abs(Arguments arguments, Budget&) {
  const Value& value = arguments[0];
  if (!value.is_number())
    panic(fmt::format("invalid argument for abs (type {})", value.type_name()));
  if (value.has(Kind::kUint8)) return value;
  return less(value, Value(std::int64_t{0})) ? negate(value) : value;
}

Value ceil(Arguments arguments, Budget&) { return rounded("ceil", arguments[0], std::ceil); }
Value floor(Arguments arguments, Budget&) { return rounded("floor", arguments[0], std::floor); }
Value round(Arguments arguments, Budget&) { return rounded("round", arguments[0], std::round); }

Value to_int(Arguments arguments, Budget&) {
  const Value& value = arguments[0];
  if (value.is_number()) return Value(value.as_integer());
  if (value.type() == types().text) {
    const auto number = parse_int(value.text(), 10);
    if (!number) panic(fmt::format("invalid operation: int({})", value.text()));
    return Value(*number);
  }
  // time.Duration, time.Month: integers with a name of their own.
  if (value.has(Kind::kInt) || value.has(Kind::kInt64)) return Value(value.integer());
  if (!value.type()) panic("reflect: call of reflect.Value.Type on zero Value");
  panic(fmt::format("invalid operation: int({})", value.type_name()));
}

Value to_float(Arguments arguments, Budget&) {
  const Value& value = arguments[0];
  if (value.is_number()) return Value(value.as_number());
  if (value.type() == types().text) {
    const auto number = parse_float(value.text());
    if (!number) panic(fmt::format("invalid operation: float({})", value.text()));
    return Value(*number);
  }
  panic(fmt::format("invalid operation: float({})", value.type_name()));
}

Value bitand_(Arguments arguments, Budget&) {
  return combined(arguments, "bitand", [](auto x, auto y) { return x & y; });
}

Value bitor_(Arguments arguments, Budget&) {
  return combined(arguments, "bitor", [](auto x, auto y) { return x | y; });
}

Value bitxor(Arguments arguments, Budget&) {
  return combined(arguments, "bitxor", [](auto x, auto y) { return x ^ y; });
}

Value bitnand(Arguments arguments, Budget&) {
  return combined(arguments, "bitnand", [](auto x, auto y) { return x & ~y; });
}

Value bitshl(Arguments arguments, Budget&) {
  return shifted(arguments, "bitshl", [](std::int64_t x, std::int64_t count) {
    return count >= kBits ? std::int64_t{0}
                          : static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << count);
  });
}

Value bitshr(Arguments arguments, Budget&) {
  return shifted(arguments, "bitshr", [](std::int64_t x, std::int64_t count) {
    return x >> std::min(count, kBits - 1);
  });
}

Value bitushr(Arguments arguments, Budget&) {
  return shifted(arguments, "bitushr", [](std::int64_t x, std::int64_t count) {
    return count >= kBits ? std::int64_t{0}
                          : static_cast<std::int64_t>(static_cast<std::uint64_t>(x) >> count);
  });
}

Value bitnot(Arguments arguments, Budget&) { return Value(~bits_of(arguments[0], "bitnot")); }

}  // namespace slipway::lang::expr::functions
