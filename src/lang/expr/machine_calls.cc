#include <fmt/format.h>

#include <cmath>

#include "lang/expr/builtin.h"
#include "lang/expr/machine.h"
#include "lang/expr/number_text.h"
#include "lang/expr/operate.h"
#include "lang/expr/print.h"
#include "lang/expr/sort.h"

// Calls and loops.
namespace slipway::lang::expr {

namespace {

// asInt and asFloat take any number, and texts that are one.
[[noreturn]] void no_number(std::string_view name, const Value& value) {
  panic(fmt::format("{}() not supported on {} {}", name, value.type_name(), print(value)));
}

Value as_int(const Value& value) {
  if (value.is_number()) return Value::integer(types().int64, value.as_integer());
  if (value.type() != types().text) no_number("asInt", value);
  const auto number = parse_int(value.text(), 10);
  if (!number) panic(number.error());
  return Value::integer(types().int64, *number);
}

Value as_float(const Value& value) {
  if (value.is_number()) return Value(value.as_number());
  if (value.type() != types().text) no_number("asFloat", value);
  const auto number = parse_float(value.text());
  if (!number) panic(number.error());
  return Value(*number);
}

void require_arguments(const Type& type, const std::vector<Value>& arguments, bool direct) {
  if (arguments.size() != type.in.size())
    panic(fmt::format("invalid number of arguments: expected {}, got {}", type.in.size(),
                      arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type* wanted = type.in[i];
    if (wanted->kind == Kind::kInterface || arguments[i].type() == wanted) continue;
    if (direct) not_of_type(arguments[i], wanted->name);
    // Through reflection nil becomes the zero value.
    if (arguments[i].type())
      panic(
          fmt::format("reflect: Call using {} as type {}", arguments[i].type_name(), wanted->name));
  }
}

double float_or_zero(const Value& value) { return value.type() ? value.number() : 0; }

}  // namespace

void Machine::execute_call(const Instruction& step) {
  if (step.op == Op::kBuiltin) {
    const std::vector<Value> arguments = pop_many(step.count);
    return push(builtins()[static_cast<std::size_t>(step.argument)].work(arguments, budget_));
  }
  const Value function = pop();
  const std::vector<Value> arguments = pop_many(step.argument);
  const bool direct = step.op == Op::kCallTyped;
  if (!function.has(Kind::kFunc)) {
    if (direct)
      not_of_type(function, program_.constants[static_cast<std::size_t>(step.count)].text());
    if (!function.type()) panic("invalid operation: cannot call nil");
    panic("invalid operation: cannot call non-function of type " + function.type_name());
  }
  push(call(function, arguments, direct));
}

Value Machine::call(const Value& function, const std::vector<Value>& arguments, bool direct) {
  require_arguments(*function.type(), arguments, direct);
  const Function& held = function.function();
  if (!held.receiver) return call_env(held.name, arguments);
  const Method* method = find_method(held.receiver->type(), held.name);
  for (const Value& argument : arguments)
    if (!argument.type()) panic("invalid operation: cannot call with nil");
  return method->work(*held.receiver, arguments);
}

Value Machine::call_env(const std::string& name, const std::vector<Value>& arguments) {
  if (name == "asInt") return as_int(arguments[0]);
  if (name == "asFloat") return as_float(arguments[0]);
  if (name == "isNaN") return Value(std::isnan(float_or_zero(arguments[0])));
  if (name == "isInf") return Value(std::isinf(float_or_zero(arguments[0])));
  const bool nothing = environment_.result().is_nil();
  if (name == "isNil") return Value(nothing);
  return nothing ? arguments[1] : environment_.result();
}

void Machine::execute_loop(const Instruction& step) {
  if (step.op == Op::kBegin) {
    Value list = pop();
    const std::int64_t length = loop_length(list);
    scopes_.push_back({.list = std::move(list), .length = length});
    return;
  }
  Scope& current = scope();
  switch (step.op) {
    case Op::kEnd:
      return scopes_.pop_back();
    case Op::kPointer:
      return push(loop_item(current.list, current.index));
    case Op::kIncrementIndex:
      ++current.index;
      return;
    case Op::kDecrementIndex:
      --current.index;
      return;
    case Op::kIncrementCount:
      ++current.count;
      return;
    case Op::kGetIndex:
      return push(Value(current.index));
    case Op::kSetIndex:
      current.index = pop().integer();
      return;
    case Op::kGetCount:
      return push(Value(current.count));
    case Op::kGetLen:
      return push(Value(current.length));
    case Op::kGetAcc:
      return push(current.acc);
    case Op::kSetAcc:
      current.acc = pop();
      return;
    case Op::kGroupBy:
      return group();
    case Op::kGroups:
      return push(grouped());
    case Op::kSortOrder:
      return set_sort_order();
    case Op::kSortBy:
      current.keys.push_back(pop());
      current.items.push_back(loop_item(current.list, current.index));
      return;
    default:
      return sort();
  }
}

void Machine::set_sort_order() {
  const Value order = pop();
  if (order.type() != types().text) panic("sortBy order argument must be a string");
  if (order.text() != "asc" && order.text() != "desc") panic("unknown order, use asc or desc");
  scope().descending = order.text() == "desc";
}

void Machine::sort() {
  Scope& current = scope();
  sort_values(current.items, current.keys, current.descending, budget_);
  budget_.memory(static_cast<std::size_t>(current.length));
  push(Value::list(types().anys, std::move(current.items)));
}

void Machine::group() {
  Value key = pop();
  // Panics for a key that cannot be one.
  if (scope().keys.empty())
    Map().find(key);
  else
    Map().put(key, {});
  scope().keys.push_back(std::move(key));
  scope().items.push_back(loop_item(scope().list, scope().index));
}

Value Machine::grouped() {
  Scope& current = scope();
  std::multimap<Value, std::vector<Value>, KeyLess> groups;
  for (std::size_t i = 0; i < current.keys.size(); ++i) {
    const Value& key = current.keys[i];
    auto found = groups.find(key);
    // Every NaN is a group of its own.
    const bool nan = key.has(Kind::kFloat64) && std::isnan(key.number());
    if (found == groups.end() || nan) found = groups.emplace(key, std::vector<Value>());
    found->second.push_back(std::move(current.items[i]));
  }
  Map out;
  for (auto& [key, items] : groups) out.put(key, Value::list(types().anys, std::move(items)));
  return Value::map(types().groups, std::move(out));
}

}  // namespace slipway::lang::expr
