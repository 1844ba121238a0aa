#include <fmt/format.h>

#include "lang/expr/builtin.h"
#include "lang/expr/checker.h"
#include "lang/expr/operators.h"

namespace slipway::lang::expr {

namespace {

bool is_arithmetic(const Node& node) {
  return node.is(NodeKind::kBinary) && (node.text == "+" || node.text == "-" || node.text == "*");
}

// Numbers written as integers where floats are wanted. Slots are replaced, since other places may
// share the nodes.
void make_floats(NodePtr& slot) {
  if (slot->is(NodeKind::kInteger)) {
    Node number{.kind = NodeKind::kFloat, .number = static_cast<double>(slot->integer)};
    number.nature = Nature::of(types().number);
    slot = make_node(std::move(number));
  } else if (slot->is(NodeKind::kUnary)) {
    make_floats(slot->parts[0]);
  } else if (is_arithmetic(*slot)) {
    make_floats(slot->parts[0]);
    make_floats(slot->parts[1]);
  }
}

}  // namespace

Nature Checker::check_call(const NodePtr& node) {
  // Looked at again for another overload of a call around it.
  if (node->nature.type && !node->nature.is_unknown()) return node->nature;
  const NodePtr callee = node->parts[0];
  if (callee->is(NodeKind::kIdentifier, "$env"))
    fail(*node, types().object->name + " is not callable");
  const Nature function = check(callee);
  if (function.is_unknown()) return Nature::unknown();
  if (function.builtin) return check_function(*function.builtin, *node, 1);
  std::string name = "function";
  if (callee->is(NodeKind::kIdentifier)) name = callee->text;
  if (callee->is(NodeKind::kMember) && callee->parts[1]->is(NodeKind::kString))
    name = callee->parts[1]->text;
  if (function.nil) fail(*node, name + " is nil; cannot call nil as function");
  if (!function.has(Kind::kFunc)) fail(*node, function.name() + " is not callable");
  auto answer = check_arguments(name, function, *node, 1);
  if (!answer) throw std::move(answer).error();
  return std::move(*answer);
}

Nature Checker::check_function(const Builtin& builtin, Node& node, std::size_t first_argument) {
  if (builtin.validate) {
    std::vector<const Type*> arguments;
    for (std::size_t i = first_argument; i < node.parts.size(); ++i) {
      const Nature nature = check(node.parts[i]);
      arguments.push_back(nature.is_unknown() ? types().any : nature.type);
    }
    try {
      return Nature::of(builtin.validate(arguments));
    } catch (Panic& complaint) {
      fail(node, std::move(complaint.message));
    }
  }
  if (builtin.types.empty()) {
    auto answer = check_arguments(builtin.name, Nature::of(builtin.type()), node, first_argument);
    if (!answer) throw std::move(answer).error();
    return std::move(*answer);
  }
  SourceFailure last;
  for (const std::string_view type : builtin.types) {
    auto answer = check_arguments(builtin.name, Nature::of(type_named(type)), node, first_argument);
    if (!answer) {
      last = std::move(answer).error();
      continue;
    }
    // The compiler must call what was chosen.
    if (node.is(NodeKind::kCall)) node.parts[0]->nature = Nature::of(type_named(type));
    return std::move(*answer);
  }
  throw last;
}

std::string Checker::wrong_count(std::string_view name, const Type& function, std::size_t wanted,
                                 std::size_t given) {
  if (given < wanted - (function.variadic ? 1 : 0))
    return fmt::format("not enough arguments to call {}", name);
  if (!function.variadic && given > wanted)
    return fmt::format("too many arguments to call {}", name);
  return {};
}

Checker::Checked Checker::check_arguments(std::string_view name, const Nature& function, Node& node,
                                          std::size_t first_argument) {
  const Type& type = *function.type;
  const std::size_t offset = function.method ? 1 : 0;
  const std::size_t wanted = type.in.size() - offset;
  const std::size_t given = node.parts.size() - first_argument;
  if (std::string complaint = wrong_count(name, type, wanted, given); !complaint.empty()) {
    for (std::size_t i = 0; i < given; ++i) check(node.parts[first_argument + i]);
    return std::unexpected(SourceFailure{std::move(complaint), node.at});
  }
  for (std::size_t i = 0; i < given; ++i) {
    NodePtr& argument = node.parts[first_argument + i];
    const Nature nature = check(argument);
    const bool rest = type.variadic && i + 1 >= wanted;
    const Nature in = Nature::of(rest ? type.in.back()->elem : type.in[i + offset]);
    if (in.is_float() && nature.is_integer()) {
      make_floats(argument);
      continue;
    }
    // int64 where int is wanted: the machine converts.
    if (in.is_integer() && nature.is_integer()) continue;
    if (nature.nil) {
      if (in.has(Kind::kPtr) || in.has(Kind::kInterface)) continue;
      return std::unexpected(SourceFailure{
          fmt::format("cannot use nil as argument (type {}) to call {}", in.name(), name),
          argument->at});
    }
    if (!nature.assignable_to(in) && !nature.is_unknown())
      return std::unexpected(
          SourceFailure{fmt::format("cannot use {} as argument (type {}) to call {} ",
                                    nature.name(), in.name(), name),
                        argument->at});
  }
  return Nature::of(type.out[0]);
}

Nature Checker::check_get(const Node& node) {
  if (node.parts.size() != 2)
    fail(node, fmt::format("invalid number of arguments (expected 2, got {})", node.parts.size()));
  const Nature base = check(node.parts[0]);
  const Nature property = check(node.parts[1]);
  if (node.parts[0]->is(NodeKind::kIdentifier, "$env")) {
    const Nature* known =
        node.parts[1]->is(NodeKind::kString) ? environment_.nature(node.parts[1]->text) : nullptr;
    return known ? *known : Nature::unknown();
  }
  if (base.is_unknown()) return Nature::unknown();
  if (base.is_list()) {
    if (!property.is_integer() && !property.is_unknown())
      fail(*node.parts[1], "non-integer slice index " + property.name());
    return base.element();
  }
  if (base.has(Kind::kMap)) {
    if (!property.assignable_to(Nature::of(base.type->key)) && !property.is_unknown())
      fail(*node.parts[1],
           fmt::format("cannot use {} to get an element from {}", property.name(), base.name()));
    return base.element();
  }
  fail(*node.parts[0], fmt::format("type {} does not support indexing", base.name()));
}

}  // namespace slipway::lang::expr
