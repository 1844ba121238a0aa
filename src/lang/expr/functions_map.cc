#include <fmt/format.h>

#include <cmath>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/operate.h"
#include "lang/expr/print.h"

namespace slipway::lang::expr::functions {

namespace {

std::string_view kind_of(const Value& value) {
  return value.type() ? kind_name(value.type()->kind) : "invalid";
}

template <class Pick>
Value each(const Value& map, std::string_view before, std::string_view after, const Type* type,
           Budget& budget, Pick pick) {
  if (!map.has(Kind::kMap)) panic(fmt::format("{} {}{}", before, kind_of(map), after));
  std::vector<Value> out;
  for (const auto& [key, value] : map.entries().items) {
    budget.copy(1);
    out.push_back(pick(key, value));
  }
  return Value::list(type, std::move(out));
}

// Go looks each key up again, and NaN is never found.
void require_findable(const Value& key) {
  if (key.has(Kind::kFloat64) && std::isnan(key.number()))
    panic("reflect: call of reflect.Value.Interface on zero Value");
}

}  // namespace

Value get(Arguments arguments, Budget&) {
  if (arguments.size() < 2)
    panic(fmt::format("invalid number of arguments (expected 2, got {})", arguments.size()));
  const Value& from = arguments[0];
  const Value& key = arguments[1];
  if (!from.type()) return {};
  if (key.type() == types().text && find_method(from.type(), key.text())) return fetch(from, key);
  if (from.is_list() || from.has(Kind::kString)) {
    std::int64_t index = integer_of(key);
    const std::int64_t length = length_of(from);
    if (index < 0) index += length;
    return index >= 0 && index < length ? loop_item(from, index) : Value();
  }
  if (from.has(Kind::kMap)) {
    const Value* found = map_entry(from, key);
    return found ? *found : Value();
  }
  if (from.has(Kind::kStruct)) text_argument(key);
  return {};
}

Value keys(Arguments arguments, Budget& budget) {
  return each(arguments[0], "cannot get keys from", "", types().anys, budget,
              [](const Value& key, const Value&) { return key; });
}

Value values(Arguments arguments, Budget& budget) {
  return each(arguments[0], "cannot get values from", "", types().anys, budget,
              [](const Value& key, const Value& value) {
                require_findable(key);
                return value;
              });
}

Value to_pairs(Arguments arguments, Budget& budget) {
  return each(arguments[0], "cannot transform", " to pairs", types().pairs, budget,
              [](const Value& key, const Value& value) {
                require_findable(key);
                return Value::list(types().pair, {key, value});
              });
}

Value from_pairs(Arguments arguments, Budget& budget) {
  const Value& list = arguments[0];
  if (!list.is_list()) panic(fmt::format("cannot transform {} from pairs", print(list)));
  Map out;
  for (const Value& pair : list.items()) {
    budget.step();
    if (!pair.is_list()) panic(fmt::format("invalid pair {}", print(pair)));
    if (pair.items().size() != 2) panic(fmt::format("invalid pair length {}", print(pair)));
    out.put(pair.items()[0], pair.items()[1]);
  }
  return Value::map(types().any_map, std::move(out));
}

}  // namespace slipway::lang::expr::functions
