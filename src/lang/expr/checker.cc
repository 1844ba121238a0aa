#include "lang/expr/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/builtin.h"

namespace slipway::lang::expr {

Nature Checker::check(const NodePtr& node) {
  work_.step(node->at);
  node->nature = nature_of(node);
  return node->nature;
}

void Checker::fail(const Node& at, std::string message) {
  throw SourceFailure{std::move(message), at.at};
}

Nature Checker::nature_of(const NodePtr& node) {
  switch (node->kind) {
    case NodeKind::kNil:
      return Nature::nothing();
    case NodeKind::kIdentifier:
      return check_identifier(*node);
    case NodeKind::kInteger:
      return Nature::of(types().integer);
    case NodeKind::kFloat:
      return Nature::of(types().number);
    case NodeKind::kBool:
      return Nature::of(types().boolean);
    case NodeKind::kString:
      return Nature::of(types().text);
    case NodeKind::kBytes:
      return Nature::of(types().bytes);
    case NodeKind::kConstant:
      return Nature::of(node->constant.type());
    case NodeKind::kUnary:
      return check_unary(*node);
    case NodeKind::kBinary:
      return check_binary(*node);
    case NodeKind::kChain:
    case NodeKind::kPredicate:
      return check(node->parts[0]);
    case NodeKind::kMember:
      return check_member(*node);
    case NodeKind::kSlice:
      return check_slice(*node);
    case NodeKind::kCall:
      return check_call(node);
    case NodeKind::kBuiltin:
      return check_builtin(*node);
    case NodeKind::kPointer:
      return check_pointer(*node);
    case NodeKind::kVariable:
      return check_variable(*node);
    case NodeKind::kSequence:
      return check_sequence(*node);
    case NodeKind::kConditional:
      return check_conditional(*node);
    case NodeKind::kArray:
      return check_array(*node);
    case NodeKind::kMap:
      for (const NodePtr& pair : node->parts) check(pair);
      return Nature::of(types().object);
    case NodeKind::kPair:
      check(node->parts[0]);
      check(node->parts[1]);
      return Nature::nothing();
  }
  return Nature::unknown();
}

Nature Checker::check_identifier(const Node& node) {
  for (auto variable = variables_.rbegin(); variable != variables_.rend(); ++variable)
    if (variable->name == node.text) return variable->nature;
  if (node.text == "$env") return Nature::unknown();
  return check_name(node, node.text, true, true);
}

Nature Checker::check_name(const Node& node, const std::string& name, bool strict, bool builtins) {
  if (const Nature* known = environment_.nature(name)) return *known;
  if (const Builtin* builtin = builtins ? find_builtin(name) : nullptr)
    return {.type = builtin->type(), .builtin = builtin};
  if (strict) fail(node, "unknown name " + name);
  return Nature::unknown();
}

Nature Checker::check_member(const Node& node) {
  const NodePtr& base = node.parts[0];
  const NodePtr& property = node.parts[1];
  if (base->is(NodeKind::kIdentifier, "$env")) {
    if (!property->is(NodeKind::kString)) return Nature::unknown();
    return check_name(node, property->text, !node.flag, false);
  }
  const Nature from = check(base);
  const Nature key = check(property);
  if (from.is_unknown()) return Nature::unknown();
  if (property->is(NodeKind::kString)) {
    if (from.nil) fail(node, "type nil has no field " + property->text);
    if (const Method* method = find_method(from.type, property->text))
      return {.type = type_named(method->method_type()), .method = true};
  }
  return member_of(node, from, key);
}

Nature Checker::member_of(const Node& node, const Nature& base, const Nature& property) {
  const Node& name = *node.parts[1];
  if (base.has(Kind::kMap)) {
    if (!property.assignable_to(Nature::of(base.type->key)) && !property.is_unknown())
      fail(name,
           fmt::format("cannot use {} to get an element from {}", property.name(), base.name()));
    return base.element();
  }
  if (base.is_list()) {
    if (!property.is_integer() && !property.is_unknown())
      fail(name, fmt::format("array elements can only be selected using an integer (got {})",
                             property.name()));
    return base.element();
  }
  if (name.is(NodeKind::kString))
    fail(node, fmt::format("type {} has no {} {}", base.name(), node.method ? "method" : "field",
                           name.text));
  fail(node, fmt::format("type {}[{}] is undefined", base.name(), property.name()));
}

Nature Checker::check_slice(const Node& node) {
  const Nature base = check(node.parts[0]);
  if (base.is_unknown()) return Nature::unknown();
  if (!base.is_string() && !base.is_list()) fail(node, "cannot slice " + base.name());
  for (const std::size_t end : {std::size_t{1}, std::size_t{2}}) {
    const NodePtr& part = node.parts[end];
    if (!part) continue;
    const Nature index = check(part);
    if (!index.is_integer() && !index.is_unknown())
      fail(*part, "non-integer slice index " + index.name());
  }
  return base;
}

Nature Checker::check_pointer(const Node& node) {
  if (scopes_.empty()) fail(node, "cannot use pointer accessor outside predicate");
  const Scope& scope = scopes_.back();
  if (node.text.empty())
    return scope.collection.is_unknown() ? Nature::unknown() : scope.collection.element();
  for (const Variable& variable : scope.variables)
    if (variable.name == node.text) return variable.nature;
  fail(node, "unknown pointer #" + node.text);
}

Nature Checker::check_variable(const Node& node) {
  if (environment_.nature(node.text)) fail(node, "cannot redeclare " + node.text);
  if (find_builtin(node.text)) fail(node, "cannot redeclare builtin " + node.text);
  if (std::ranges::any_of(variables_, [&](const Variable& v) { return v.name == node.text; }))
    fail(node, "cannot redeclare variable " + node.text);
  Nature value = check(node.parts[0]);
  variables_.push_back({node.text, std::move(value)});
  Nature body = check(node.parts[1]);
  variables_.pop_back();
  return body;
}

Nature Checker::check_sequence(const Node& node) {
  Nature last;
  for (const NodePtr& part : node.parts) last = check(part);
  return last;
}

Nature Checker::check_conditional(const Node& node) {
  const Nature condition = check(node.parts[0]);
  if (!condition.is_bool() && !condition.is_unknown())
    fail(*node.parts[0],
         fmt::format("non-bool expression (type {}) used as condition", condition.name()));
  const Nature then = check(node.parts[1]);
  const Nature otherwise = check(node.parts[2]);
  if (then.nil) return otherwise;
  if (otherwise.nil) return then;
  if (!then.assignable_to(otherwise)) return Nature::unknown();
  if (then.is_list() && otherwise.is_list()) {
    const Nature a = then.element();
    const Nature b = otherwise.element();
    if (!a.assignable_to(b) || !b.assignable_to(a)) return Nature::of(types().anys);
  }
  return then;
}

Nature Checker::check_array(const Node& node) {
  Nature previous;
  bool same = true;
  const auto kind = [](const Nature& nature) {
    return nature.type ? static_cast<int>(nature.type->kind) : -1;
  };
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    Nature current = check(node.parts[i]);
    if (i > 0 && kind(current) != kind(previous)) same = false;
    previous = std::move(current);
  }
  return same ? Nature::list_of(std::move(previous)) : Nature::of(types().anys);
}

}  // namespace slipway::lang::expr
