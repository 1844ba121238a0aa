#include <fmt/format.h>

#include "lang/template/execute.h"
#include "lang/template/quote.h"

// Pipelines, commands and fields.
namespace slipway::lang::go {

using Kind = Value::Kind;

Value Executor::pipeline(const Value& dot, const Node* pipe) {
  if (pipe == nullptr) return {};
  at(*pipe);
  std::optional<Value> value;
  for (const auto& child : pipe->children) value = command(dot, *child, value).unboxed();
  for (const auto& name : pipe->declares) {
    if (pipe->assigns)
      set(name, *value);
    else
      push(name, *value);
  }
  return *value;
}

Value Executor::command(const Value& dot, const Node& node, Final final) {
  step();
  const Node& first = *node.children[0];
  const Words words(node.children);
  const bool has_args = words.size() > 1 || final.has_value();
  switch (first.kind) {
    case NodeKind::kField:
      at(first);
      return field_chain(dot, first.names, has_args);
    case NodeKind::kChain:
      return chain(dot, first, has_args);
    case NodeKind::kIdentifier:
      return function(dot, first, node, words.subspan(1), final);
    case NodeKind::kPipe: {
      not_a_function(first, has_args);
      return pipeline(dot, &first);
    }
    case NodeKind::kVariable:
      return variable(first, words, has_args);
    default:
      break;
  }
  at(first);
  not_a_function(first, has_args);
  if (first.kind == NodeKind::kDot) return dot;
  if (first.kind == NodeKind::kNil) fail("nil is not a command");
  return constant(first);
}

Value Executor::constant(const Node& node) {
  at(node);
  switch (node.kind) {
    case NodeKind::kBool:
      return Value(node.truth);
    case NodeKind::kString:
      return Value(std::string_view(node.text));
    default:
      if (!node.constant) fail(fmt::format("{} overflows int", node.text));
      return *node.constant;
  }
}

void Executor::not_a_function(const Node& word, bool has_args) {
  if (has_args) fail(fmt::format("can't give argument to non-function {}", to_text(word)));
}

Value Executor::chain(const Value& dot, const Node& node, bool has_args) {
  at(node);
  const Value receiver = argument(dot, std::nullopt, *node.children[0]);
  return field_chain(receiver, node.names, has_args);
}

Value Executor::variable(const Node& node, Words words, bool has_args) {
  at(node);
  const Value value = get(node.names[0]);
  if (node.names.size() > 1) return field_chain(value, std::span(node.names).subspan(1), has_args);
  if (!words.empty()) not_a_function(*words[0], has_args);
  return value;
}

Value Executor::field_chain(const Value& receiver, std::span<const std::string> names,
                            bool has_args) {
  Value value = receiver;
  for (std::size_t i = 0; i < names.size(); ++i)
    value = field(value, names[i], has_args && i + 1 == names.size());
  return value;
}

Value Executor::field(const Value& receiver, std::string_view name, bool has_args) {
  step();
  if (!receiver.valid()) {
    if (program_.options.missing_key == MissingKey::kError)
      fail(fmt::format("nil data; no entry for key {}", quote(name)));
    return {};
  }
  if (receiver.is(Kind::kNil))
    fail(fmt::format("nil pointer evaluating {}.{}", type_name(receiver), name));
  if (receiver.is(Kind::kStruct)) {
    if (const Value* found = receiver.as<const Struct*>()->find(name)) {
      if (has_args) fail(fmt::format("{} has arguments but cannot be invoked as function", name));
      return *found;
    }
  }
  if (receiver.is(Kind::kMap)) {
    const Map& map = receiver.as<Map>();
    if (has_args) fail(fmt::format("{} is not a method but has arguments", name));
    if (const auto found = entry_at(map, name)) return *found;
    if (program_.options.missing_key == MissingKey::kError)
      fail(fmt::format("map has no entry for key {}", quote(name)));
    return program_.options.missing_key == MissingKey::kZero ? zero_entry(map) : Value();
  }
  fail(fmt::format("can't evaluate field {} in type {}", name, type_name(receiver)));
}

}  // namespace slipway::lang::go
