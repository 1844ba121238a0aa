#include <fmt/format.h>

#include "lang/template/execute.h"
#include "lang/template/failure.h"
#include "lang/template/quote.h"

// Functions and their arguments.
namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

Param param_at(const Function& function, std::size_t index) {
  return function.params[std::min(index, function.params.size() - 1)];
}

// What reflect.Value.String says of a value.
std::string reflect_text(const Value& value) {
  if (value.is(Kind::kString)) return std::string(value.as<std::string_view>());
  return value.valid() ? fmt::format("<{} Value>", type_name(value)) : "<invalid Value>";
}

// Comparing and printing long data costs more than a step.
std::size_t cost(const Value& value) {
  constexpr std::size_t kBytesAStep = 256;
  if (value.is(Kind::kString)) return value.as<std::string_view>().size() / kBytesAStep;
  if (value.is(Kind::kMap)) return value.as<Map>().entries->size();
  return value.is(Kind::kList) ? value.as<List>().size() : 0;
}

}  // namespace

Value Executor::function(const Value& dot, const Node& name, const Node& whole, Words args,
                         Final final) {
  at(name);
  if (const auto own = program_.functions.find(name.text); own != program_.functions.end())
    return call(dot, {.name = name.text, .function = &own->second, .builtin = false}, whole, args,
                final);
  const auto found = builtin_functions().find(name.text);
  if (found == builtin_functions().end())
    fail(fmt::format("{} is not a defined function", quote(name.text)));
  return call(dot, {.name = name.text, .function = &found->second, .builtin = true}, whole, args,
              final);
}

void Executor::check_count(const Callee& callee, std::size_t words, std::size_t given) {
  const std::size_t wanted = callee.function->params.size();
  if (callee.function->variadic) {
    if (given < wanted - 1)
      fail(fmt::format("wrong number of args for {}: want at least {} got {}", callee.name,
                       wanted - 1, words));
  } else if (given != wanted) {
    fail(fmt::format("wrong number of args for {}: want {} got {}", callee.name, wanted, given));
  }
}

Value Executor::call(const Value& dot, const Callee& callee, const Node& whole, Words args,
                     Final final) {
  const Deeper deeper(*this);
  check_count(callee, args.size(), args.size() + (final ? 1 : 0));
  if (callee.builtin && (callee.name == "and" || callee.name == "or"))
    return logic(dot, callee.name == "or", args, final);
  std::vector<Value> values;
  values.reserve(args.size() + 1);
  for (std::size_t i = 0; i < args.size(); ++i)
    values.push_back(argument(dot, param_at(*callee.function, i), *args[i]));
  if (final) values.push_back(accepted(*final, param_at(*callee.function, args.size())));
  for (const Value& value : values) step(cost(value));
  if (callee.builtin && callee.name == "call")
    call_function_value(whole, args, final, values[0].unboxed());
  try {
    return callee.function->run(values, scratch_);
  } catch (const CallFailure& failure) {
    at(whole);
    fail(fmt::format("error calling {}: {}", callee.name, failure.message));
  } catch (const LimitReached&) {
    // A printer only knows what was left for it.
    throw LimitReached{
        fmt::format("functions make over {} bytes of text", program_.options.limits.max_output)};
  }
}

// The value that decided: the first that settles it, or the last.
Value Executor::logic(const Value& dot, bool is_or, Words args, Final final) {
  Value value;
  for (const auto& arg : args) {
    value = argument(dot, Param::kValue, *arg);
    if (truth(value) == is_or) return value;
  }
  return final ? *final : value;
}

// No data of ours holds functions, so there is only an error to give.
void Executor::call_function_value(const Node& whole, Words args, Final final,
                                   const Value& called) {
  at(whole);
  if (!called.valid()) fail("error calling call: call of nil");
  fail(fmt::format("error calling call: non-function {} of type {}",
                   args.empty() ? reflect_text(*final) : to_text(*args[0]), type_name(called)));
}

// Without `param`: whatever it is.
Value Executor::argument(const Value& dot, std::optional<Param> param, const Node& node) {
  at(node);
  step();
  switch (node.kind) {
    case NodeKind::kDot:
      return accepted(dot, param);
    case NodeKind::kNil:
      if (param == Param::kString) fail("cannot assign nil to string");
      return {};
    case NodeKind::kField:
      return accepted(field_chain(dot, node.names, false), param);
    case NodeKind::kVariable:
      return accepted(variable(node, {}, false), param);
    case NodeKind::kPipe:
      return accepted(pipeline(dot, &node), param);
    case NodeKind::kIdentifier:
      return accepted(function(dot, node, node, {}, std::nullopt), param);
    case NodeKind::kChain:
      return accepted(chain(dot, node, false), param);
    default:
      return literal(*param, node);
  }
}

Value Executor::literal(Param param, const Node& node) {
  if (param == Param::kString && node.kind != NodeKind::kString)
    fail(fmt::format("expected string; found {}", to_text(node)));
  return constant(node);
}

Value Executor::accepted(const Value& value, std::optional<Param> param) {
  if (!param || param == Param::kValue) return value;
  if (param == Param::kAny) return value.unboxed();
  if (!value.valid()) fail("invalid value; expected string");
  if (value.is(Kind::kString)) return value.unboxed();
  const Value held = value.is(Kind::kNil) ? value : value.unboxed();
  fail(fmt::format("wrong type for value; expected string; got {}", type_name(held)));
}

}  // namespace slipway::lang::go
