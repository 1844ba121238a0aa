#include <fmt/format.h>

#include "lang/expr/checker.h"
#include "lang/expr/operators.h"
#include "lang/expr/pattern.h"

// Which operands an operator takes, and what it gives.
namespace slipway::lang::expr {

namespace {

using Test = bool (Nature::*)() const;

bool both(const Nature& a, const Nature& b, Test test) { return (a.*test)() && (b.*test)(); }

// One side unknown and the other one of these, or both unknown.
bool maybe(const Nature& a, const Nature& b, std::initializer_list<Test> tests) {
  if (a.is_unknown() && b.is_unknown()) return true;
  if (!a.is_unknown() && !b.is_unknown()) return false;
  const Nature& known = a.is_unknown() ? b : a;
  for (const Test test : tests)
    if ((known.*test)()) return true;
  return false;
}

Nature promoted(const Nature& a, const Nature& b) {
  return Nature::of(a.is_float() || b.is_float() ? types().number : types().integer);
}

using Answer = std::optional<Nature>;

Answer when(bool holds, const Type* type) {
  return holds ? Answer(Nature::of(type)) : std::nullopt;
}

Answer compared(const Nature& l, const Nature& r) {
  return when(
      both(l, r, &Nature::is_number) || both(l, r, &Nature::is_string) ||
          both(l, r, &Nature::is_time) || both(l, r, &Nature::is_duration) ||
          maybe(l, r,
                {&Nature::is_number, &Nature::is_string, &Nature::is_time, &Nature::is_duration}),
      types().boolean);
}

Answer added(const Nature& l, const Nature& r) {
  if (both(l, r, &Nature::is_number)) return promoted(l, r);
  if (both(l, r, &Nature::is_string)) return Nature::of(types().text);
  if (l.is_time() && r.is_duration()) return Nature::of(types().time);
  if (l.is_duration() && r.is_time()) return Nature::of(types().time);
  if (both(l, r, &Nature::is_duration)) return Nature::of(types().duration);
  if (maybe(l, r, {&Nature::is_number, &Nature::is_string, &Nature::is_time, &Nature::is_duration}))
    return Nature::unknown();
  return std::nullopt;
}

Answer subtracted(const Nature& l, const Nature& r) {
  if (both(l, r, &Nature::is_number)) return promoted(l, r);
  if (both(l, r, &Nature::is_time)) return Nature::of(types().duration);
  if (l.is_time() && r.is_duration()) return Nature::of(types().time);
  if (both(l, r, &Nature::is_duration)) return Nature::of(types().duration);
  if (maybe(l, r, {&Nature::is_number, &Nature::is_time, &Nature::is_duration}))
    return Nature::unknown();
  return std::nullopt;
}

Answer multiplied(const Nature& l, const Nature& r) {
  if (both(l, r, &Nature::is_number)) return promoted(l, r);
  const auto fits = [](const Nature& side) { return side.is_number() || side.is_duration(); };
  if (fits(l) && fits(r)) return Nature::of(types().duration);
  if (maybe(l, r, {&Nature::is_number, &Nature::is_duration})) return Nature::unknown();
  return std::nullopt;
}

Nature coalesced(const Nature& l, const Nature& r) {
  if (l.nil && r.nil) return Nature::nothing();
  if (l.nil) return r;
  if (r.nil) return l;
  return r.assignable_to(l) ? l : Nature::unknown();
}

Answer answer_of(const std::string& op, const Nature& l, const Nature& r) {
  if (op == "==" || op == "!=") return when(l.comparable_to(r), types().boolean);
  if (is_and(op) || is_or(op))
    return when(both(l, r, &Nature::is_bool) || maybe(l, r, {&Nature::is_bool}), types().boolean);
  if (is_comparison(op)) return compared(l, r);
  if (op == "+") return added(l, r);
  if (op == "-") return subtracted(l, r);
  if (op == "*") return multiplied(l, r);
  if (op == "/" || op == "**" || op == "^")
    return when(both(l, r, &Nature::is_number) || maybe(l, r, {&Nature::is_number}),
                types().number);
  const bool integers = both(l, r, &Nature::is_integer) || maybe(l, r, {&Nature::is_integer});
  if (op == "%") return when(integers, types().integer);
  if (op == "..")
    return integers ? Answer(Nature::list_of(Nature::of(types().integer))) : std::nullopt;
  if (op == "??") return coalesced(l, r);
  // matches, contains, startsWith, endsWith
  const bool bytes = op == "matches" && l.type == types().bytes && r.is_string();
  return when(bytes || both(l, r, &Nature::is_string) || maybe(l, r, {&Nature::is_string}),
              types().boolean);
}

}  // namespace

Nature Checker::check_unary(const Node& node) {
  Nature operand = check(node.parts[0]);
  if (node.text == "!" || node.text == "not") {
    if (operand.is_bool() || operand.is_unknown()) return Nature::of(types().boolean);
  } else {
    if (operand.is_number()) return operand;
    if (operand.is_unknown()) return Nature::unknown();
  }
  fail(node, fmt::format("invalid operation: {} (mismatched type {})", node.text, operand.name()));
}

Nature Checker::check_binary(const Node& node) {
  const Nature left = check(node.parts[0]);
  const Nature right = check(node.parts[1]);
  if (node.text == "in") return check_in(node, left, right);
  if (node.text == "matches" && node.parts[1]->is(NodeKind::kString))
    if (auto pattern = Pattern::compile(node.parts[1]->text); !pattern)
      fail(node, std::move(pattern).error());
  if (auto answer = answer_of(node.text, left, right)) return std::move(*answer);
  fail(node, fmt::format("invalid operation: {} (mismatched types {} and {})", node.text,
                         left.name(), right.name()));
}

Nature Checker::check_in(const Node& node, const Nature& left, const Nature& right) {
  const Nature boolean = Nature::of(types().boolean);
  if ((left.is_string() || left.is_unknown()) && right.has(Kind::kStruct)) return boolean;
  if (right.has(Kind::kMap)) {
    const Nature key = Nature::of(right.type->key);
    if (!left.is_unknown() && !left.assignable_to(key))
      fail(node, fmt::format("cannot use {} as type {} in map key", left.name(), key.name()));
    return boolean;
  }
  if (right.is_list()) {
    const Nature elem = right.element();
    if (!left.comparable_to(elem))
      fail(node, fmt::format("cannot use {} as type {} in array", left.name(), elem.name()));
    return boolean;
  }
  if (left.is_unknown() && right.is_string()) return boolean;
  if (right.is_unknown()) return boolean;
  fail(node, fmt::format("invalid operation: in (mismatched types {} and {})", left.name(),
                         right.name()));
}

}  // namespace slipway::lang::expr
