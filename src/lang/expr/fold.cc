#include <cmath>

#include "lang/expr/operators.h"
#include "lang/expr/optimizer.h"

// Constant folding.
namespace slipway::lang::expr {

namespace {

Node integer(std::uint64_t value) {
  return {.kind = NodeKind::kInteger, .integer = static_cast<std::int64_t>(value)};
}

Node number(double value) { return {.kind = NodeKind::kFloat, .number = value}; }
Node boolean(bool value) { return {.kind = NodeKind::kBool, .flag = value}; }

bool is_number(const Node& node) {
  return node.is(NodeKind::kInteger) || node.is(NodeKind::kFloat);
}

double as_number(const Node& node) {
  return node.is(NodeKind::kInteger) ? static_cast<double>(node.integer) : node.number;
}

bool both(const Node& a, const Node& b, NodeKind kind) { return a.is(kind) && b.is(kind); }

bool is_bool(const Node& node, bool value) {
  return node.is(NodeKind::kBool) && node.flag == value;
}

bool fold_unary(NodePtr& slot) {
  const Node& operand = *slot->parts[0];
  if (slot->text == "-" || slot->text == "+") {
    const bool minus = slot->text == "-";
    const auto value = static_cast<std::uint64_t>(operand.integer);
    if (operand.is(NodeKind::kInteger))
      return replace_with_literal(slot, integer(minus ? -value : value)), true;
    if (operand.is(NodeKind::kFloat))
      return replace_with_literal(slot, number(minus ? -operand.number : operand.number)), true;
    return false;
  }
  if (!operand.is(NodeKind::kBool)) return false;
  return replace_with_literal(slot, boolean(!operand.flag)), true;
}

bool fold_integers(NodePtr& slot, const Node& a, const Node& b) {
  const auto x = static_cast<std::uint64_t>(a.integer);
  const auto y = static_cast<std::uint64_t>(b.integer);
  const std::string op = slot->text;
  if (op == "+") return replace_with_literal(slot, integer(x + y)), true;
  if (op == "-") return replace_with_literal(slot, integer(x - y)), true;
  if (op == "*") return replace_with_literal(slot, integer(x * y)), true;
  if (op == "==") return replace_with_literal(slot, boolean(x == y)), true;
  if (op != "%") return false;
  if (b.integer == 0) throw SourceFailure{"integer divide by zero", slot->at};
  const std::int64_t rest = b.integer == -1 ? 0 : a.integer % b.integer;
  return replace_with_literal(slot, integer(static_cast<std::uint64_t>(rest))), true;
}

bool fold_numbers(NodePtr& slot, const Node& a, const Node& b) {
  const double x = as_number(a);
  const double y = as_number(b);
  const std::string op = slot->text;
  if (op == "/") return replace_with_literal(slot, number(x / y)), true;
  if (op == "**" || op == "^") return replace_with_literal(slot, number(std::pow(x, y))), true;
  if (both(a, b, NodeKind::kInteger)) return fold_integers(slot, a, b);
  if (op == "+") return replace_with_literal(slot, number(x + y)), true;
  if (op == "-") return replace_with_literal(slot, number(x - y)), true;
  if (op == "*") return replace_with_literal(slot, number(x * y)), true;
  return false;
}

// `decides`: the value that settles it whatever the other side is.
bool fold_logic(NodePtr& slot, const NodePtr& a, const NodePtr& b, bool decides) {
  if (is_bool(*a, !decides)) return replace_keeping_type(slot, b), true;
  if (is_bool(*b, !decides)) return replace_keeping_type(slot, a), true;
  if (!is_bool(*a, decides) && !is_bool(*b, decides)) return false;
  return replace_with_literal(slot, boolean(decides)), true;
}

bool fold_binary(NodePtr& slot) {
  const NodePtr a = slot->parts[0];
  const NodePtr b = slot->parts[1];
  if (is_number(*a) && is_number(*b)) return fold_numbers(slot, *a, *b);
  if (is_and(slot->text)) return fold_logic(slot, a, b, false);
  if (is_or(slot->text)) return fold_logic(slot, a, b, true);
  if (both(*a, *b, NodeKind::kString)) {
    if (slot->text == "+")
      return replace_with_literal(slot, {.kind = NodeKind::kString, .text = a->text + b->text}),
             true;
    if (slot->text == "==") return replace_with_literal(slot, boolean(a->text == b->text)), true;
  }
  if (both(*a, *b, NodeKind::kBool) && slot->text == "==")
    return replace_with_literal(slot, boolean(a->flag == b->flag)), true;
  return false;
}

bool fold_array(NodePtr& slot) {
  std::vector<Value> items;
  for (const NodePtr& part : slot->parts) {
    if (part->is(NodeKind::kInteger))
      items.emplace_back(part->integer);
    else if (part->is(NodeKind::kFloat))
      items.emplace_back(part->number);
    else if (part->is(NodeKind::kString))
      items.emplace_back(part->text);
    else if (part->is(NodeKind::kBool))
      items.emplace_back(part->flag);
    else
      return false;
  }
  if (items.empty()) return false;
  Node constant{.kind = NodeKind::kConstant};
  constant.constant = Value::list(types().anys, std::move(items));
  replace_with_literal(slot, std::move(constant));
  return true;
}

// filter(filter(x, a), b) is filter(x, a && b).
bool fold_filters(NodePtr& slot) {
  if (!slot->is(NodeKind::kBuiltin, "filter") || !slot->parts[0]->is(NodeKind::kBuiltin, "filter"))
    return false;
  const NodePtr inner = slot->parts[0];
  NodePtr both_hold = make_node({.kind = NodeKind::kBinary,
                                 .text = "&&",
                                 .parts = {inner->parts[1]->parts[0], slot->parts[1]->parts[0]}});
  NodePtr predicate = make_node({.kind = NodeKind::kPredicate, .parts = {std::move(both_hold)}});
  replace_keeping_type(slot, make_node({.kind = NodeKind::kBuiltin,
                                        .text = "filter",
                                        .parts = {inner->parts[0], std::move(predicate)}}));
  return true;
}

}  // namespace

bool fold(NodePtr& slot) {
  switch (slot->kind) {
    case NodeKind::kUnary:
      return fold_unary(slot);
    case NodeKind::kBinary:
      return fold_binary(slot);
    case NodeKind::kArray:
      return fold_array(slot);
    case NodeKind::kBuiltin:
      return fold_filters(slot);
    default:
      return false;
  }
}

}  // namespace slipway::lang::expr
