#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/builtin.h"
#include "lang/expr/failure.h"
#include "lang/expr/operate.h"
#include "lang/expr/print.h"

// Members, slices, membership, length: what operators take out of lists, maps and texts.
namespace slipway::lang::expr {

namespace {

Value byte_at(const Value& text, std::int64_t index) {
  return Value::integer(types().byte,
                        static_cast<unsigned char>(text.text()[static_cast<std::size_t>(index)]));
}

bool has_items(const Value& value) { return value.is_list() || value.has(Kind::kString); }

[[noreturn]] void not_for(std::string_view method, const Value& value) {
  panic(fmt::format("reflect: call of reflect.Value.{} on {} Value", method,
                    value.type() ? kind_name(value.type()->kind) : "zero"));
}

}  // namespace

std::int64_t length_of(const Value& value) {
  if (value.is_list()) return static_cast<std::int64_t>(value.items().size());
  if (value.has(Kind::kMap)) return static_cast<std::int64_t>(value.entries().items.size());
  if (value.has(Kind::kString)) return static_cast<std::int64_t>(value.text().size());
  panic(fmt::format("invalid argument for len (type {})", value.type_name()));
}

std::int64_t loop_length(const Value& value) {
  if (!has_items(value) && !value.has(Kind::kMap)) not_for("Len", value);
  return length_of(value);
}

Value loop_item(const Value& value, std::int64_t index) {
  if (!has_items(value)) not_for("Index", value);
  if (index < 0 || index >= length_of(value)) panic("reflect: slice index out of range");
  if (value.has(Kind::kString)) return byte_at(value, index);
  return value.items()[static_cast<std::size_t>(index)];
}

const Value* map_entry(const Value& map, const Value& key) {
  const Type* wanted = map.type()->key;
  if (!key.type()) {
    // nil stands for the zero value of the key's type.
    if (wanted->kind == Kind::kString) return map.entries().find(Value(""));
    if (wanted->kind == Kind::kInt) return map.entries().find(Value(std::int64_t{0}));
    return map.entries().find(key);
  }
  if (!assignable(key.type(), wanted))
    panic(fmt::format("reflect.Value.MapIndex: value of type {} is not assignable to type {}",
                      key.type_name(), wanted->name));
  return map.entries().find(key);
}

Value fetch(const Value& from, const Value& key) {
  if (from.type() && key.type() == types().text)
    if (const Method* method = find_method(from.type(), key.text()))
      return Value::function(
          type_named(method->type),
          {.name = std::string(method->name), .receiver = std::make_shared<const Value>(from)});
  if (has_items(from)) {
    std::int64_t index = integer_of(key);
    const std::int64_t length = length_of(from);
    if (index < 0) index += length;
    if (index < 0 || index >= length)
      panic(fmt::format("index out of range: {} (array length is {})", index, length));
    return loop_item(from, index);
  }
  if (from.has(Kind::kMap)) {
    if (const Value* found = map_entry(from, key)) return *found;
    const Type* elem = from.type()->elem;
    return elem->kind == Kind::kInterface ? Value() : Value::nil_of(elem);
  }
  if (from.has(Kind::kStruct)) text_argument(key);
  panic(fmt::format("cannot fetch {} from {}", print(key), from.type_name()));
}

Value slice(const Value& from, const Value& first, const Value& last, Budget& budget) {
  if (!has_items(from)) panic(fmt::format("cannot slice {}", print(first)));
  const std::int64_t length = length_of(from);
  const auto clamped = [length](std::int64_t index) {
    return std::max(index < 0 ? length + index : index, std::int64_t{0});
  };
  std::int64_t begin = clamped(integer_of(first));
  const std::int64_t end = std::min(clamped(integer_of(last)), length);
  begin = std::min(begin, end);
  if (from.has(Kind::kString)) {
    budget.text(static_cast<std::size_t>(end - begin));
    return Value(
        from.text().substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  }
  budget.copy(static_cast<std::size_t>(end - begin));
  const Type* type = from.has(Kind::kArray) ? types().anys : from.type();
  if (from.is_nil()) return from;
  return Value::list(type, {from.items().begin() + begin, from.items().begin() + end});
}

bool contained(const Value& needle, const Value& in, Budget& budget) {
  if (!in.type()) return false;
  if (in.is_list())
    return std::ranges::any_of(in.items(),
                               [&](const Value& item) { return equal(item, needle, budget); });
  if (in.has(Kind::kMap)) return map_entry(in, needle) != nullptr;
  if (in.has(Kind::kStruct)) {
    if (!needle.has(Kind::kString))
      panic(fmt::format("cannot use {} as field name of {}", needle.type_name(), in.type_name()));
    return false;
  }
  panic(fmt::format("operator \"in\" not defined on {}", in.type_name()));
}

}  // namespace slipway::lang::expr
