#include <algorithm>

#include "base/json.h"

namespace slipway::json {
namespace {

boost::json::string_view key(std::string_view text) { return {text.data(), text.size()}; }

struct Integer {
  bool negative;
  std::uint64_t magnitude;
  bool operator==(const Integer&) const = default;
};

Integer integer(const Value& value) {
  if (value.is_uint64()) return {false, value.get_uint64()};
  const std::int64_t number = value.get_int64();
  const auto bits = static_cast<std::uint64_t>(number);
  return {number < 0, number < 0 ? 0 - bits : bits};
}

// Against a double, an integer counts as the double nearest to it: a large double is written with
// its shortest digits and comes back as the integer that those digits spell.
bool same_number(const Value& a, const Value& b) {
  if (a.is_double() || b.is_double()) return a.to_number<double>() == b.to_number<double>();
  return integer(a) == integer(b);
}

bool same_object(const Object& a, const Object& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& pair) {
           const Value* other = b.if_contains(pair.key());
           return other && same(pair.value(), *other);
         });
}

const Value* follow(const Value* here, const std::string_view* step, const std::string_view* end) {
  for (; here && step != end; ++step) {
    const Object* object = here->if_object();
    here = object ? object->if_contains(key(*step)) : nullptr;
  }
  return here;
}

std::string_view text_of(const Value* value) {
  const String* text = value ? value->if_string() : nullptr;
  return text ? std::string_view(text->data(), text->size()) : std::string_view();
}

}  // namespace

const Value* at(const Value& value, Path path) { return follow(&value, path.begin(), path.end()); }

Value* at(Value& value, Path path) { return const_cast<Value*>(at(std::as_const(value), path)); }

const Value* at(const Object& object, Path path) {
  if (path.size() == 0) return nullptr;
  return follow(object.if_contains(key(*path.begin())), path.begin() + 1, path.end());
}

std::string_view string_at(const Value& value, Path path) { return text_of(at(value, path)); }

std::string_view string_at(const Object& object, Path path) { return text_of(at(object, path)); }

Object& object_at(Value& value, Path path) {
  Value* here = &value;
  for (std::string_view step : path) {
    if (!here->is_object()) here->emplace_object();
    here = &here->get_object()[key(step)];
  }
  return here->is_object() ? here->get_object() : here->emplace_object();
}

bool same(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return same_number(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case boost::json::kind::bool_:
      return a.get_bool() == b.get_bool();
    case boost::json::kind::string:
      return a.get_string() == b.get_string();
    case boost::json::kind::array:
      return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(),
                        b.get_array().end(), same);
    case boost::json::kind::object:
      return same_object(a.get_object(), b.get_object());
    default:
      return true;
  }
}

namespace {
// In larger objects the last member moves into the gap: keeping the order would make erasing many
// members take the square of their number.
constexpr std::size_t kMaxOrdered = 256;
}  // namespace

void erase(Object& object, std::string_view name) {
  if (object.size() <= kMaxOrdered)
    object.stable_erase(key(name));
  else
    object.erase(key(name));
}

}  // namespace slipway::json
