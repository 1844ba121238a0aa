#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/operate.h"
#include "lang/expr/sort.h"

namespace slipway::lang::expr::functions {

namespace {

std::string_view kind_of(const Value& value) {
  return value.type() ? kind_name(value.type()->kind) : "invalid";
}

void require_list(const Value& value, std::string_view verb) {
  if (!value.is_list()) panic(fmt::format("cannot {} {}", verb, kind_of(value)));
}

// The elements as []interface {}.
Value made(std::vector<Value> items, Budget& budget) {
  budget.copy(items.size());
  return Value::list(types().anys, std::move(items));
}

Value end_of(const Value& list, std::int64_t index) {
  try {
    return fetch(list, Value(index));
  } catch (const Panic&) {
    return {};  // nothing to take from is no error here
  }
}

void flatten_into(const Value& list, std::vector<Value>& out, Budget& budget) {
  budget.copy(list.items().size());
  for (const Value& item : list.items()) {
    if (item.is_list())
      flatten_into(item, out, budget);
    else
      out.push_back(item);
  }
}

}  // namespace

Value first(Arguments arguments, Budget&) { return end_of(arguments[0], 0); }
Value last(Arguments arguments, Budget&) { return end_of(arguments[0], -1); }

Value take(Arguments arguments, Budget& budget) {
  const Value& list = arguments[0];
  require_list(list, "take from");
  const Value& wanted = arguments[1];
  if (!wanted.has(Kind::kInt) && !wanted.has(Kind::kInt64))
    panic(fmt::format("cannot take {} elements", kind_of(wanted)));
  const std::int64_t count = std::min(wanted.integer(), length_of(list));
  if (count < 0) panic("reflect.Value.Slice: slice index out of bounds");
  return slice(list, Value(std::int64_t{0}), Value(count), budget);
}

Value reverse(Arguments arguments, Budget& budget) {
  require_list(arguments[0], "reverse");
  std::vector<Value> items(arguments[0].items().rbegin(), arguments[0].items().rend());
  budget.memory(items.size());
  return made(std::move(items), budget);
}

Value uniq(Arguments arguments, Budget& budget) {
  require_list(arguments[0], "uniq");
  std::vector<Value> items;
  for (const Value& item : arguments[0].items())
    if (std::ranges::none_of(items, [&](const Value& seen) { return equal(item, seen, budget); }))
      items.push_back(item);
  return made(std::move(items), budget);
}

Value concat(Arguments arguments, Budget& budget) {
  std::vector<Value> items;
  for (const Value& list : arguments) {
    require_list(list, "concat");
    if (items.size() + list.items().size() >= kMemoryBudget) panic("memory budget exceeded");
    items.insert(items.end(), list.items().begin(), list.items().end());
  }
  budget.memory(items.size());
  if (items.empty()) return Value::nil_of(types().anys);  // Go's slice was never made
  return made(std::move(items), budget);
}

Value flatten(Arguments arguments, Budget& budget) {
  require_list(arguments[0], "flatten");
  std::vector<Value> items;
  flatten_into(arguments[0], items, budget);
  budget.memory(items.size());
  return made(std::move(items), budget);
}

Value sort(Arguments arguments, Budget& budget) {
  const Type* type = arguments[0].type();
  std::vector<Value> items;
  const bool known = type == types().anys || type == types().integers || type == types().numbers ||
                     type == types().texts;
  if (known) items = arguments[0].items();
  bool descending = false;
  if (arguments.size() == 2) {
    if (arguments[1].type() != types().text)
      panic(fmt::format("sort order argument must be a string (got {})", arguments[1].type_name()));
    const std::string& order = arguments[1].text();
    if (order != "asc" && order != "desc")
      panic(fmt::format("invalid order {}, expected asc or desc", order));
    descending = order == "desc";
  }
  sort_values(items, items, descending, budget);
  budget.memory(items.size());
  return known ? made(std::move(items), budget) : Value::nil_of(types().anys);
}

}  // namespace slipway::lang::expr::functions
