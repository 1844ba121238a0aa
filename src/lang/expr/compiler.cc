#include "lang/expr/compiler.h"

#include <array>

#include "base/error.h"
#include "lang/expr/builtin.h"
#include "lang/expr/operators.h"

namespace slipway::lang::expr {

namespace {

constexpr std::pair<std::string_view, Op> kOperators[] = {{"<", Op::kLess},
                                                          {">", Op::kMore},
                                                          {"<=", Op::kLessOrEqual},
                                                          {">=", Op::kMoreOrEqual},
                                                          {"+", Op::kAdd},
                                                          {"-", Op::kSubtract},
                                                          {"*", Op::kMultiply},
                                                          {"/", Op::kDivide},
                                                          {"%", Op::kModulo},
                                                          {"**", Op::kExponent},
                                                          {"^", Op::kExponent},
                                                          {"in", Op::kIn},
                                                          {"contains", Op::kContains},
                                                          {"startsWith", Op::kStartsWith},
                                                          {"endsWith", Op::kEndsWith},
                                                          {"..", Op::kRange}};

// Functions that expr-lang calls directly; the others go through reflection, whose messages differ.
bool is_called_directly(const Type& function, bool method) {
  if (method) return true;
  for (const std::string_view name :
       {"func(string) string", "func(interface {}) string", "func(string, string) string",
        "func(string, string) bool", "func(int) int", "func(int, int) int",
        "func([]interface {}) []interface {}", "func([]interface {}, string) string",
        "func([]string, string) string", "func(interface {}) float64", "func(interface {}) bool",
        "func(float64) bool", "func(interface {}, interface {}) interface {}"})
    if (function.name == name) return true;
  return false;
}

}  // namespace

Program Compiler::run(const Node& root) {
  compile(root);
  return std::move(program_);
}

std::size_t Compiler::emit(Op op, std::int64_t argument, std::int64_t count) {
  const Location at = path_.empty() ? Location{} : path_.back()->at;
  work_.step(at);
  program_.code.push_back({.op = op, .argument = argument, .count = count, .at = at});
  return program_.code.size() - 1;
}

std::int64_t Compiler::constant(Value value) {
  program_.constants.push_back(std::move(value));
  return static_cast<std::int64_t>(program_.constants.size()) - 1;
}

void Compiler::patch(std::size_t place) {
  program_.code[place].argument = static_cast<std::int64_t>(program_.code.size() - place) - 1;
}

void Compiler::compile(const Node& node) {
  work_.step(node.at);
  path_.push_back(&node);
  compile_one(node);
  path_.pop_back();
}

void Compiler::compile_one(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNil:
      emit(Op::kNil);
      return;
    case NodeKind::kIdentifier:
      return compile_identifier(node);
    case NodeKind::kInteger:
      emit(Op::kInt, node.integer);
      return;
    case NodeKind::kFloat:
      emit_push(Value(node.number));
      return;
    case NodeKind::kBool:
      emit(node.flag ? Op::kTrue : Op::kFalse);
      return;
    case NodeKind::kString:
      emit_push(Value(node.text));
      return;
    case NodeKind::kBytes:
      emit_push(Value::bytes(node.text));
      return;
    case NodeKind::kConstant:
      emit_push(node.constant);
      return;
    case NodeKind::kUnary:
      return compile_unary(node);
    case NodeKind::kBinary:
      return compile_binary(node);
    case NodeKind::kChain:
      return compile_chain(node);
    case NodeKind::kMember:
      return compile_member(node);
    case NodeKind::kSlice:
      return compile_slice(node);
    case NodeKind::kCall:
      return compile_call(node);
    case NodeKind::kBuiltin:
      return compile_builtin(node);
    case NodeKind::kPointer:
      return compile_pointer(node);
    case NodeKind::kVariable:
      return compile_variable(node);
    case NodeKind::kConditional:
      return compile_conditional(node);
    case NodeKind::kSequence:
      for (std::size_t i = 0; i < node.parts.size(); ++i) {
        if (i > 0) emit(Op::kPop);
        compile(*node.parts[i]);
      }
      return;
    case NodeKind::kArray:
    case NodeKind::kMap:
      for (const NodePtr& part : node.parts) compile(*part);
      emit(Op::kInt, static_cast<std::int64_t>(node.parts.size()));
      emit(node.is(NodeKind::kArray) ? Op::kArray : Op::kMap);
      return;
    case NodeKind::kPredicate:
    case NodeKind::kPair:
      for (const NodePtr& part : node.parts) compile(*part);
      return;
  }
}

void Compiler::compile_identifier(const Node& node) {
  for (auto variable = variables_.rbegin(); variable != variables_.rend(); ++variable)
    if (variable->name == node.text) {
      emit(Op::kLoadVariable, variable->index);
      return;
    }
  if (node.text == "$env")
    emit(Op::kLoadEnv);
  else
    emit(Op::kLoadName, constant(Value(node.text)));
}

void Compiler::compile_unary(const Node& node) {
  compile(*node.parts[0]);
  if (node.text == "-") emit(Op::kNegate);
  if (node.text == "!" || node.text == "not") emit(Op::kNot);
}

void Compiler::compile_binary(const Node& node) {
  if (node.text == "==" || node.text == "!=") return compile_equal(node);
  if (node.text == "matches") return compile_matches(node);
  if (is_or(node.text)) return compile_either(node, Op::kJumpIfTrue);
  if (is_and(node.text)) return compile_either(node, Op::kJumpIfFalse);
  if (node.text == "??") return compile_either(node, Op::kJumpIfNotNil);
  compile(*node.parts[0]);
  compile(*node.parts[1]);
  for (const auto& [text, op] : kOperators)
    if (text == node.text) {
      emit(op);
      return;
    }
  assertion_failed("an operator that can be compiled", __FILE__, __LINE__);
}

void Compiler::compile_either(const Node& node, Op jump) {
  compile(*node.parts[0]);
  const std::size_t end = emit(jump);
  emit(Op::kPop);
  compile(*node.parts[1]);
  patch(end);
}

void Compiler::compile_equal(const Node& node) {
  const auto both = [&](Kind kind) {
    for (const NodePtr& part : node.parts)
      if (part->type()->kind != kind || !part->type()->package_path.empty()) return false;
    return true;
  };
  compile(*node.parts[0]);
  compile(*node.parts[1]);
  emit(both(Kind::kInt) ? Op::kEqualInt : both(Kind::kString) ? Op::kEqualString : Op::kEqual);
  if (node.text == "!=") emit(Op::kNot);
}

void Compiler::compile_matches(const Node& node) {
  compile(*node.parts[0]);
  if (!node.parts[1]->is(NodeKind::kString)) {
    compile(*node.parts[1]);
    emit(Op::kMatches);
    return;
  }
  auto pattern = Pattern::compile(node.parts[1]->text);
  // Folding may have made a literal of two halves that the checker did not see as one.
  if (!pattern) throw SourceFailure{std::move(pattern).error(), node.at};
  program_.patterns.push_back(std::move(*pattern));
  emit(Op::kMatchesConst, static_cast<std::int64_t>(program_.patterns.size()) - 1);
}

void Compiler::compile_chain(const Node& node) {
  chains_.emplace_back();
  compile(*node.parts[0]);
  for (const std::size_t place : chains_.back()) patch(place);
  const Node* parent = path_.size() > 1 ? path_[path_.size() - 2] : nullptr;
  if (!parent || !parent->is(NodeKind::kBinary, "??")) {
    // A nil of some type becomes plain nil.
    const std::size_t end = emit(Op::kJumpIfNotNil);
    emit(Op::kPop);
    emit(Op::kNil);
    patch(end);
  }
  chains_.pop_back();
}

void Compiler::compile_member(const Node& node) {
  const Node& property = *node.parts[1];
  compile(*node.parts[0]);
  if (property.is(NodeKind::kString) && find_method(node.parts[0]->nature.type, property.text)) {
    emit(Op::kMethod, constant(Value(property.text)));
    return;
  }
  if (node.flag && !chains_.empty()) chains_.back().push_back(emit(Op::kJumpIfNil));
  compile(property);
  emit(Op::kFetch);
}

void Compiler::compile_slice(const Node& node) {
  compile(*node.parts[0]);
  if (node.parts[2])
    compile(*node.parts[2]);
  else
    emit(Op::kLen);
  if (node.parts[1])
    compile(*node.parts[1]);
  else
    emit(Op::kInt, 0);
  emit(Op::kSlice);
}

void Compiler::compile_call(const Node& node) {
  for (std::size_t i = 1; i < node.parts.size(); ++i) compile(*node.parts[i]);
  const Node& callee = *node.parts[0];
  compile(callee);
  const Type& type = *callee.type();
  const bool direct = type.kind == Kind::kFunc && is_called_directly(type, callee.nature.method);
  // What the static type was decides the message when the value turns out not to be a function.
  emit(direct ? Op::kCallTyped : Op::kCall, static_cast<std::int64_t>(node.parts.size()) - 1,
       direct ? constant(Value(type.name)) : 0);
}

void Compiler::compile_pointer(const Node& node) {
  emit(node.text == "index" ? Op::kGetIndex : node.text == "acc" ? Op::kGetAcc : Op::kPointer);
}

void Compiler::compile_variable(const Node& node) {
  compile(*node.parts[0]);
  const std::int64_t index = program_.variables++;
  emit(Op::kStore, index);
  variables_.push_back({node.text, index});
  compile(*node.parts[1]);
  variables_.pop_back();
}

void Compiler::compile_conditional(const Node& node) {
  compile(*node.parts[0]);
  const std::size_t otherwise = emit(Op::kJumpIfFalse);
  emit(Op::kPop);
  compile(*node.parts[1]);
  const std::size_t end = emit(Op::kJump);
  patch(otherwise);
  emit(Op::kPop);
  compile(*node.parts[2]);
  patch(end);
}

}  // namespace slipway::lang::expr
