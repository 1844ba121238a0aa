#include "lang/expr/machine.h"

#include <fmt/format.h>

#include "lang/expr/builtin.h"
#include "lang/expr/operate.h"

namespace slipway::lang::expr {

namespace {

constexpr std::size_t kMaxStack = 2 * kMemoryBudget;

}  // namespace

Value Machine::run() {
  const auto end = static_cast<std::int64_t>(program_.code.size());
  while (next_ < end) {
    const Instruction& step = program_.code[static_cast<std::size_t>(next_++)];
    try {
      budget_.step();
      execute(step);
    } catch (Panic& panic) {
      throw SourceFailure{std::move(panic.message), step.at};
    }
  }
  return stack_.empty() ? Value() : pop();
}

void Machine::push(Value value) {
  if (stack_.size() >= kMaxStack) panic("memory budget exceeded");
  stack_.push_back(std::move(value));
}

Value Machine::pop() {
  if (stack_.empty()) panic("stack underflow");
  Value value = std::move(stack_.back());
  stack_.pop_back();
  return value;
}

const Value& Machine::top() const {
  if (stack_.empty()) panic("stack underflow");
  return stack_.back();
}

std::vector<Value> Machine::pop_many(std::int64_t count) {
  if (static_cast<std::size_t>(count) > stack_.size()) panic("stack underflow");
  std::vector<Value> values(std::make_move_iterator(stack_.end() - count),
                            std::make_move_iterator(stack_.end()));
  stack_.resize(stack_.size() - static_cast<std::size_t>(count));
  return values;
}

// Long texts take long to compare, to look up and to search.
void Machine::charge_operands(const Instruction& step) {
  const auto operands = step.op == Op::kBuiltin ? static_cast<std::size_t>(step.count) : 2;
  for (std::size_t i = 1; i <= operands && i <= stack_.size(); ++i)
    if (const Value& operand = stack_[stack_.size() - i]; operand.has(Kind::kString))
      budget_.read(operand.text().size());
}

void Machine::execute(const Instruction& step) {
  if (step.op == Op::kFetch || step.op >= Op::kNegate) charge_operands(step);
  if (step.op < Op::kJump) return execute_value(step);
  if (step.op < Op::kNegate) return execute_jump(step);
  if (step.op < Op::kCall) return execute_operator(step);
  if (step.op < Op::kBegin) return execute_call(step);
  execute_loop(step);
}

void Machine::execute_value(const Instruction& step) {
  const auto argument = static_cast<std::size_t>(step.argument);
  switch (step.op) {
    case Op::kPush:
      return push(program_.constants[argument]);
    case Op::kInt:
      return push(Value(step.argument));
    case Op::kPop:
      pop();
      return;
    case Op::kNil:
      return push({});
    case Op::kTrue:
      return push(Value(true));
    case Op::kFalse:
      return push(Value(false));
    case Op::kStore:
      variables_[argument] = pop();
      return;
    case Op::kLoadVariable:
      return push(variables_[argument]);
    case Op::kLoadName: {
      const Value* found = environment_.find(program_.constants[argument].text());
      return push(found ? *found : Value());
    }
    case Op::kLoadEnv:
      return push(environment_.all());
    case Op::kFetch: {
      const Value key = pop();
      return push(fetch(pop(), key));
    }
    case Op::kMethod:
      return push(fetch(pop(), program_.constants[argument]));
    case Op::kSlice: {
      const Value from = pop();
      const Value to = pop();
      return push(slice(pop(), from, to, budget_));
    }
    case Op::kLen:
      return push(Value(length_of(top())));
    case Op::kArray:
      return make_array();
    case Op::kMap:
      return make_map();
    default:
      panic(program_.constants[argument].text());
  }
}

void Machine::make_array() {
  const std::int64_t size = pop().integer();
  budget_.memory(static_cast<std::size_t>(size));
  push(Value::list(types().anys, pop_many(size)));
}

void Machine::make_map() {
  const std::int64_t size = pop().integer();
  budget_.memory(static_cast<std::size_t>(size));
  std::vector<Value> values = pop_many(size * 2);
  // From the last to the first: the first of two equal keys wins.
  Map entries;
  for (std::size_t i = values.size(); i > 0; i -= 2) {
    if (values[i - 2].type() != types().text) not_of_type(values[i - 2], "string");
    entries.put(values[i - 2], std::move(values[i - 1]));
  }
  push(Value::map(types().object, std::move(entries)));
}

void Machine::execute_jump(const Instruction& step) {
  bool jumps = true;
  switch (step.op) {
    case Op::kJumpBackward:
      next_ -= step.argument;
      return;
    case Op::kJumpIfTrue:
      jumps = bool_argument(top());
      break;
    case Op::kJumpIfFalse:
      jumps = !bool_argument(top());
      break;
    case Op::kJumpIfNil:
      jumps = top().is_nil();
      break;
    case Op::kJumpIfNotNil:
      jumps = !top().is_nil();
      break;
    case Op::kJumpIfEnd:
      jumps = scope().index >= scope().length;
      break;
    default:
      break;
  }
  if (jumps) next_ += step.argument;
}

void Machine::execute_operator(const Instruction& step) {
  if (step.op >= Op::kEqual && step.op <= Op::kMoreOrEqual) return execute_comparison(step);
  if (step.op >= Op::kMatches) return execute_text_operator(step);
  const Value b = pop();
  switch (step.op) {
    case Op::kNegate:
      return push(negate(b));
    case Op::kNot:
      return push(Value(!bool_argument(b)));
    case Op::kAdd:
      return push(add(pop(), b, budget_));
    case Op::kSubtract:
      return push(subtract(pop(), b));
    case Op::kMultiply:
      return push(multiply(pop(), b));
    case Op::kDivide:
      return push(divide(pop(), b));
    case Op::kModulo:
      return push(modulo(pop(), b));
    case Op::kExponent:
      return push(exponent(pop(), b));
    default:
      push(b);
      return make_range();
  }
}

void Machine::make_range() {
  const Value high = pop();
  const Value low = pop();
  // Goes round at the ends of the integers, as upstream's does.
  const auto first = static_cast<std::uint64_t>(integer_of(low));
  const auto size =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(integer_of(high)) - first + 1);
  std::vector<Value> numbers;
  if (size > 0) {
    budget_.memory(static_cast<std::size_t>(size));
    budget_.step(static_cast<std::size_t>(size));
    numbers.reserve(static_cast<std::size_t>(size));
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(size); ++i)
      numbers.emplace_back(static_cast<std::int64_t>(first + i));
  }
  push(Value::list(types().integers, std::move(numbers)));
}

void Machine::execute_comparison(const Instruction& step) {
  const Value b = pop();
  const Value a = pop();
  switch (step.op) {
    case Op::kEqualInt:
      for (const Value* side : {&a, &b})
        if (side->type() != types().integer) not_of_type(*side, "int");
      return push(Value(a.integer() == b.integer()));
    case Op::kEqualString:
      return push(Value(text_argument(a) == text_argument(b)));
    case Op::kIn:
      return push(Value(contained(a, b, budget_)));
    case Op::kLess:
      return push(Value(less(a, b)));
    case Op::kMore:
      return push(Value(more(a, b)));
    case Op::kLessOrEqual:
      return push(Value(less_or_equal(a, b)));
    case Op::kMoreOrEqual:
      return push(Value(more_or_equal(a, b)));
    default:
      return push(Value(equal(a, b, budget_)));
  }
}

void Machine::match(const Value& text, const Pattern& pattern) {
  if (text.type() == types().text) {
    budget_.read(text.text().size() * pattern.cost());
    return push(Value(pattern.matches(text.text())));
  }
  if (text.type() != types().bytes) not_of_type(text, "[]uint8");
  std::string bytes;
  for (const Value& item : text.items()) bytes += static_cast<char>(item.integer());
  push(Value(pattern.matches(bytes)));
}

void Machine::execute_text_operator(const Instruction& step) {
  if (step.op == Op::kMatchesConst) {
    const Value text = pop();
    if (text.is_nil()) return push(Value(false));
    return match(text, program_.patterns[static_cast<std::size_t>(step.argument)]);
  }
  const Value b = pop();
  const Value a = pop();
  if (a.is_nil() || b.is_nil()) return push(Value(false));
  if (step.op == Op::kMatches) {
    constexpr std::size_t kStepsToCompile = 1000;
    budget_.step(kStepsToCompile);
    const auto pattern = Pattern::compile(text_argument(b));
    if (!pattern) panic(pattern.error());
    return match(a, *pattern);
  }
  const std::string& text = text_argument(a);
  const std::string& part = text_argument(b);
  if (step.op == Op::kContains) budget_.read(text.size() * part.size());
  if (step.op == Op::kContains) return push(Value(text.find(part) != std::string::npos));
  push(Value(step.op == Op::kStartsWith ? text.starts_with(part) : text.ends_with(part)));
}

}  // namespace slipway::lang::expr
