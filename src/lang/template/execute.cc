#include "lang/template/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/template/failure.h"
#include "lang/template/print.h"
#include "lang/template/quote.h"

namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

// Error texts show values whole; no longer than this.
constexpr std::size_t kMaxShown = 64 * 1024;

std::string shown(const Value& value) {
  Printer printer(kMaxShown);
  printer.reflected(value, 'v');
  return printer.take();
}

}  // namespace

Executor::Deeper::Deeper(Executor& executor) : executor_(executor) {
  executor.step();
  const int limit = executor.program_.options.limits.max_depth;
  if (executor.depth_ >= limit) executor.fail(fmt::format("nested over {} levels", limit));
  ++executor.depth_;
}

Executor::Executor(Program program)
    : program_(program),
      out_(program.options.limits.max_output),
      scratch_(program.options.limits.max_output) {}

std::string Executor::run(const Value& dot) {
  tree_ = &program_.trees.find(program_.options.name)->second;
  variables_ = {{"$", dot}};
  walk(dot, *tree_->root);
  return out_.take();
}

Executor::Flow Executor::walk(const Value& dot, const Node& node) {
  at(node);
  step();
  switch (node.kind) {
    case NodeKind::kText:
      out_.append(node.text);
      return Flow::kOn;
    case NodeKind::kAction: {
      const Value value = pipeline(dot, node.pipe.get());
      if (node.pipe->declares.empty()) print(node, value);
      return Flow::kOn;
    }
    case NodeKind::kIf:
    case NodeKind::kWith:
      return branch(dot, node);
    case NodeKind::kRange:
      return range(dot, node);
    case NodeKind::kTemplate:
      template_call(dot, node);
      return Flow::kOn;
    case NodeKind::kBreak:
      return Flow::kBreak;
    case NodeKind::kContinue:
      return Flow::kContinue;
    default:
      return walk_list(dot, node);
  }
}

Executor::Flow Executor::walk_list(const Value& dot, const Node& list) {
  const Deeper deeper(*this);
  for (const auto& child : list.children)
    if (const Flow flow = walk(dot, *child); flow != Flow::kOn) return flow;
  return Flow::kOn;
}

Executor::Flow Executor::branch(const Value& dot, const Node& node) {
  const std::size_t scope = variables_.size();
  const Value value = pipeline(dot, node.pipe.get());
  Flow flow = Flow::kOn;
  if (truth(value))
    flow = walk(node.kind == NodeKind::kWith ? value : dot, *node.list);
  else if (node.else_list)
    flow = walk(dot, *node.else_list);
  variables_.resize(scope);
  return flow;
}

Executor::Flow Executor::range(const Value& dot, const Node& node) {
  const std::size_t scope = variables_.size();
  const Value value = pipeline(dot, node.pipe.get());
  bool ran = false;
  Flow flow = range_over(value, node, ran);
  if (!ran && node.else_list) flow = walk(dot, *node.else_list);
  // In the else part a {{continue}} is for the loop around this one. So should a {{break}} be, but
  // Go ends it here.
  if (flow == Flow::kBreak) flow = Flow::kOn;
  variables_.resize(scope);
  return flow;
}

Executor::Flow Executor::range_over(const Value& value, const Node& node, bool& ran) {
  const auto each = [&](const Value& index, const Value& item) {
    ran = true;
    return iteration(index, item, node) != Flow::kBreak;
  };
  const auto count = [&]<class Number>(Number end) {
    if (node.pipe->declares.size() > 1)
      fail(fmt::format("can't use {} to iterate over more than one variable", end));
    for (Number i = 0; i < end && each(Value(), Value(i)); ++i) {
    }
  };
  switch (value.kind()) {
    case Kind::kInvalid:
      break;
    case Kind::kInt:
      count(value.as<std::int64_t>());
      break;
    case Kind::kUint:
      count(value.as<std::uint64_t>());
      break;
    case Kind::kByte:
      count(value.as<std::uint8_t>());
      break;
    case Kind::kList: {
      const List& list = value.as<List>();
      for (std::size_t i = 0; i < list.size(); ++i)
        if (!each(Value(static_cast<std::int64_t>(i)), item_at(list, i))) break;
      break;
    }
    case Kind::kMap: {
      step(value.as<Map>().entries->size());
      for (const auto& [key, item] : sorted_entries(value.as<Map>()))
        if (!each(Value(key), item)) break;
      break;
    }
    default:
      fail("range can't iterate over " + shown(value));
  }
  return Flow::kOn;
}

Executor::Flow Executor::iteration(const Value& index, const Value& item, const Node& node) {
  const auto& declares = node.pipe->declares;
  const std::size_t scope = variables_.size();
  const bool two = declares.size() > 1;
  if (!declares.empty() && node.pipe->assigns) {
    set(declares[0], two ? index : item);
    if (two) set(declares[1], item);
  } else if (!declares.empty()) {
    variables_[scope - 1].value = item;
    if (two) variables_[scope - 2].value = index;
  }
  const Flow flow = walk(item, *node.list);
  variables_.resize(scope);
  return flow == Flow::kBreak ? flow : Flow::kOn;
}

void Executor::template_call(const Value& dot, const Node& node) {
  const auto found = program_.trees.find(node.text);
  if (found == program_.trees.end()) fail(fmt::format("template {} not defined", quote(node.text)));
  const int limit = program_.options.limits.max_calls;
  if (calls_ >= limit) fail(fmt::format("exceeded maximum template depth ({})", limit));
  const Value inner = pipeline(dot, node.pipe.get());
  const Tree* tree = std::exchange(tree_, &found->second);
  const Node* place = node_;
  std::vector<Variable> variables = std::exchange(variables_, {{"$", inner}});
  ++calls_;
  walk(inner, *tree_->root);
  --calls_;
  variables_ = std::move(variables);
  tree_ = tree;
  node_ = place;
}

void Executor::print(const Node& node, const Value& value) {
  at(node);
  if (!value.valid())
    out_.append("<no value>");
  else if (value.is(Kind::kString))
    out_.append(value.as<std::string_view>());
  else
    out_.append(printed(value, program_.options.limits.max_output));
}

void Executor::set(std::string_view name, const Value& value) {
  for (std::size_t i = variables_.size(); i-- > 0;) {
    if (variables_[i].name != name) continue;
    variables_[i].value = value;
    return;
  }
  fail(fmt::format("undefined variable: {}", name));
}

const Value& Executor::get(std::string_view name) {
  for (std::size_t i = variables_.size(); i-- > 0;)
    if (variables_[i].name == name) return variables_[i].value;
  fail(fmt::format("undefined variable: {}", name));
}

void Executor::step(std::size_t count) {
  steps_ += count;
  if (steps_ > program_.options.limits.max_steps)
    throw LimitReached{fmt::format("takes over {} steps", program_.options.limits.max_steps)};
}

void Executor::fail(std::string_view message) const {
  const std::string_view before = program_.text.substr(0, node_->at);
  const auto newline = before.rfind('\n');
  const std::size_t column = newline == before.npos ? before.size() : before.size() - newline - 1;
  throw Failure{fmt::format("template: {}:{}:{}: executing {} at <{}>: {}", program_.options.name,
                            1 + std::ranges::count(before, '\n'), column, quote(tree_->name),
                            to_text(*node_), message)};
}

}  // namespace slipway::lang::go
