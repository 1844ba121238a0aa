#include "lang/expr/operate.h"

#include <fmt/format.h>

#include <cmath>

#include "lang/expr/builtin.h"
#include "lang/expr/failure.h"
#include "lang/expr/moment.h"

namespace slipway::lang::expr {

namespace {

bool both_numbers(const Value& a, const Value& b) { return a.is_number() && b.is_number(); }

bool any_float(const Value& a, const Value& b) {
  return a.has(Kind::kFloat64) || b.has(Kind::kFloat64);
}

bool both(const Value& a, const Value& b, const Type* type) {
  return a.type() == type && b.type() == type;
}

[[noreturn]] void no_operator(const Value& a, std::string_view symbol, const Value& b) {
  panic(fmt::format("invalid operation: {} {} {}", a.type_name(), symbol, b.type_name()));
}

template <class Compare>
bool compare(const Value& a, const Value& b, std::string_view symbol, Compare holds) {
  if (both_numbers(a, b))
    return any_float(a, b) ? holds(a.as_number(), b.as_number()) : holds(a.integer(), b.integer());
  if (both(a, b, types().text)) return holds(a.text(), b.text());
  if (both(a, b, types().time)) {
    const auto order = a.moment().compare(b.moment());
    return holds(order < 0 ? -1 : order > 0 ? 1 : 0, 0);
  }
  if (both(a, b, types().duration)) return holds(a.integer(), b.integer());
  no_operator(a, symbol, b);
}

// Go's integers wrap around.
std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t wrapped_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

bool deep_equal(const Value& a, const Value& b, Budget& budget);

bool same_items(const Value& a, const Value& b, Budget& budget,
                bool (*same)(const Value&, const Value&, Budget&)) {
  if (a.items().size() != b.items().size()) return false;
  for (std::size_t i = 0; i < a.items().size(); ++i)
    if (!same(a.items()[i], b.items()[i], budget)) return false;
  return true;
}

bool same_entries(const Value& a, const Value& b, Budget& budget) {
  if (a.entries().items.size() != b.entries().items.size()) return false;
  for (const auto& [key, value] : a.entries().items) {
    const Value* other = b.entries().find(key);
    if (!other || !deep_equal(value, *other, budget)) return false;
  }
  return true;
}

// reflect.DeepEqual.
bool deep_equal(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (a.type() != b.type()) return false;
  if (!a.type()) return true;
  switch (a.type()->kind) {
    case Kind::kBool:
      return a.boolean() == b.boolean();
    case Kind::kFloat64:
      return a.number() == b.number();
    case Kind::kString:
    case Kind::kPtr:
      budget.read(a.text().size());
      return a.text() == b.text();
    case Kind::kSlice:
    case Kind::kArray:
      if (a.is_nil() != b.is_nil()) return false;
      return a.address() == b.address() || same_items(a, b, budget, deep_equal);
    case Kind::kMap:
      if (a.is_nil() != b.is_nil()) return false;
      return a.address() == b.address() || same_entries(a, b, budget);
    case Kind::kStruct:
      return a.type() != types().time || a.moment().compare(b.moment()) == 0;
    case Kind::kFunc:
    case Kind::kInterface:
      return false;
    default:
      return a.integer() == b.integer();
  }
}

// The slices that == walks through itself, element by element.
bool is_plain_slice(const Value& value) {
  const Type* type = value.type();
  return type == types().anys || type == types().numbers || type == types().integers ||
         type == types().texts || type == types().bytes;
}

}  // namespace

bool equal(const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (both_numbers(a, b))
    return any_float(a, b) ? a.as_number() == b.as_number() : a.integer() == b.integer();
  if (is_plain_slice(a) && is_plain_slice(b)) {
    const bool anys = a.type() == types().anys || b.type() == types().anys;
    if (anys || a.type() == b.type()) return same_items(a, b, budget, equal);
  }
  if (both(a, b, types().time)) return a.moment().compare(b.moment()) == 0;
  if (a.is_nil() && b.is_nil()) return true;
  return deep_equal(a, b, budget);
}

bool less(const Value& a, const Value& b) {
  return compare(a, b, "<", [](const auto& x, const auto& y) { return x < y; });
}

bool more(const Value& a, const Value& b) {
  return compare(a, b, ">", [](const auto& x, const auto& y) { return x > y; });
}

bool less_or_equal(const Value& a, const Value& b) {
  return compare(a, b, "<=", [](const auto& x, const auto& y) { return x <= y; });
}

bool more_or_equal(const Value& a, const Value& b) {
  return compare(a, b, ">=", [](const auto& x, const auto& y) { return x >= y; });
}

Value add(const Value& a, const Value& b, Budget& budget) {
  if (both_numbers(a, b))
    return any_float(a, b) ? Value(a.as_number() + b.as_number())
                           : Value(wrapped_sum(a.integer(), b.integer()));
  if (both(a, b, types().text)) {
    budget.text(a.text().size() + b.text().size());
    return Value(a.text() + b.text());
  }
  if (a.type() == types().time && b.type() == types().duration)
    return Value::moment(shifted(a.moment(), b.integer()));
  if (a.type() == types().duration && b.type() == types().time)
    return Value::moment(shifted(b.moment(), a.integer()));
  if (both(a, b, types().duration))
    return Value::integer(types().duration, wrapped_sum(a.integer(), b.integer()));
  no_operator(a, "+", b);
}

Value subtract(const Value& a, const Value& b) {
  if (both_numbers(a, b))
    return any_float(a, b) ? Value(a.as_number() - b.as_number())
                           : Value(wrapped_difference(a.integer(), b.integer()));
  if (both(a, b, types().time))
    return Value::integer(types().duration, between(a.moment(), b.moment()));
  if (a.type() == types().time && b.type() == types().duration)
    return Value::moment(shifted(a.moment(), wrapped_difference(0, b.integer())));
  if (both(a, b, types().duration))
    return Value::integer(types().duration, wrapped_difference(a.integer(), b.integer()));
  no_operator(a, "-", b);
}

Value multiply(const Value& a, const Value& b) {
  const bool durations = a.type() == types().duration || b.type() == types().duration;
  const auto fits = [](const Value& value) {
    return value.is_number() || value.type() == types().duration;
  };
  if (!fits(a) || !fits(b)) no_operator(a, "*", b);
  // A duration times a float is a float: expr-lang has it so.
  if (any_float(a, b)) return Value(a.as_number() * b.as_number());
  const std::int64_t product = wrapped_product(a.integer(), b.integer());
  return durations ? Value::integer(types().duration, product) : Value(product);
}

Value divide(const Value& a, const Value& b) {
  if (!both_numbers(a, b)) no_operator(a, "/", b);
  return Value(a.as_number() / b.as_number());
}

Value modulo(const Value& a, const Value& b) {
  if (!both_numbers(a, b) || any_float(a, b)) no_operator(a, "%", b);
  if (b.integer() == 0) panic("runtime error: integer divide by zero");
  return Value(b.integer() == -1 ? std::int64_t{0} : a.integer() % b.integer());
}

Value exponent(const Value& a, const Value& b) {
  const auto number = [](const Value& value) {
    if (!value.is_number()) panic(fmt::format("invalid operation: float({})", value.type_name()));
    return value.as_number();
  };
  const double base = number(a);
  return Value(std::pow(base, number(b)));
}

Value negate(const Value& value) {
  if (!value.is_number()) panic(fmt::format("invalid operation: - {}", value.type_name()));
  if (value.has(Kind::kFloat64)) return Value(-value.number());
  const std::int64_t negated = wrapped_difference(0, value.integer());
  return Value::integer(value.type(), value.has(Kind::kUint8) ? negated & 0xFF : negated);
}

}  // namespace slipway::lang::expr
