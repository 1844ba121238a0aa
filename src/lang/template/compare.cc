#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/template/failure.h"
#include "lang/template/functions.h"
#include "lang/template/print.h"

namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

// Error texts show values whole; no longer than this.
constexpr std::size_t kMaxShown = 64 * 1024;

// Sorts of values that compare with each other.
enum class Basic { kNone, kBool, kComplex, kInt, kFloat, kString, kUint };

Basic basic(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return Basic::kBool;
    case Kind::kInt:
      return Basic::kInt;
    case Kind::kUint:
    case Kind::kByte:
      return Basic::kUint;
    case Kind::kFloat:
      return Basic::kFloat;
    case Kind::kComplex:
      return Basic::kComplex;
    case Kind::kString:
      return Basic::kString;
    default:
      return Basic::kNone;
  }
}

std::uint64_t unsigned_of(const Value& value) {
  return value.is(Kind::kByte) ? value.as<std::uint8_t>() : value.as<std::uint64_t>();
}

std::string shown(const Value& value, char verb) {
  Printer printer(kMaxShown);
  printer.reflected(value, static_cast<unsigned char>(verb));
  return printer.take();
}

[[noreturn]] void incompatible(const Value& a, const Value& b) {
  throw CallFailure{
      fmt::format("incompatible types for comparison: {} and {}", type_name(a), type_name(b))};
}

bool comparable(const Value& value) {
  if (value.is(Kind::kList) || value.is(Kind::kMap)) return false;
  if (!value.is(Kind::kStruct)) return true;
  return std::ranges::all_of(value.as<const Struct*>()->fields,
                             [](const auto& field) { return comparable(field.value); });
}

bool same_basic(const Value& a, const Value& b) {
  switch (basic(a)) {
    case Basic::kBool:
      return a.as<bool>() == b.as<bool>();
    case Basic::kComplex:
      return a.as<std::complex<double>>() == b.as<std::complex<double>>();
    case Basic::kFloat:
      return a.as<double>() == b.as<double>();
    case Basic::kInt:
      return a.as<std::int64_t>() == b.as<std::int64_t>();
    case Basic::kString:
      return a.as<std::string_view>() == b.as<std::string_view>();
    case Basic::kUint:
      return unsigned_of(a) == unsigned_of(b);
    case Basic::kNone:
      break;
  }
  return false;
}

bool same_struct(const Value& a, const Value& b) {
  if (!a.is(Kind::kStruct)) return basic(a) == basic(b) && same_basic(a, b);
  const Struct& left = *a.as<const Struct*>();
  const Struct& right = *b.as<const Struct*>();
  return left.type == right.type &&
         std::ranges::equal(left.fields, right.fields, [](const auto& x, const auto& y) {
           return same_struct(x.value, y.value);
         });
}

// Lists, maps, structs and nil.
bool equal_composite(const Value& a, const Value& b) {
  if (a.valid() && b.valid() && a.kind() != b.kind())
    throw CallFailure{fmt::format("non-comparable types {}: {}, {}: {}", shown(a, 's'),
                                  type_name(a), type_name(b), shown(b, 'v'))};
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  if (!comparable(b))
    throw CallFailure{fmt::format("non-comparable type {}: {}", shown(b, 's'), type_name(b))};
  return same_struct(a, b);
}

bool equal_one(const Value& a, const Value& b) {
  const Basic left = basic(a), right = basic(b);
  if (left == right) return left == Basic::kNone ? equal_composite(a, b) : same_basic(a, b);
  if (left == Basic::kInt && right == Basic::kUint)
    return std::cmp_equal(a.as<std::int64_t>(), unsigned_of(b));
  if (left == Basic::kUint && right == Basic::kInt)
    return std::cmp_equal(unsigned_of(a), b.as<std::int64_t>());
  if (a.valid() && b.valid()) incompatible(a, b);
  return false;
}

}  // namespace

bool equal(const Value& a, std::span<const Value> others) {
  if (others.empty()) throw CallFailure{"missing argument for comparison"};
  for (const Value& other : others)
    if (equal_one(a.unboxed(), other.unboxed())) return true;
  return false;
}

bool less(const Value& boxed_a, const Value& boxed_b) {
  const Value a = boxed_a.unboxed(), b = boxed_b.unboxed();
  const Basic left = basic(a), right = basic(b);
  const auto unordered = [](Basic sort) { return sort == Basic::kNone; };
  if (unordered(left) || unordered(right)) throw CallFailure{"invalid type for comparison"};
  if (left == Basic::kInt && right == Basic::kUint)
    return std::cmp_less(a.as<std::int64_t>(), unsigned_of(b));
  if (left == Basic::kUint && right == Basic::kInt)
    return std::cmp_less(unsigned_of(a), b.as<std::int64_t>());
  if (left != right) incompatible(a, b);
  switch (left) {
    case Basic::kFloat:
      return a.as<double>() < b.as<double>();
    case Basic::kInt:
      return a.as<std::int64_t>() < b.as<std::int64_t>();
    case Basic::kString:
      return a.as<std::string_view>() < b.as<std::string_view>();
    case Basic::kUint:
      return unsigned_of(a) < unsigned_of(b);
    default:
      throw CallFailure{"invalid type for comparison"};
  }
}

}  // namespace slipway::lang::go
