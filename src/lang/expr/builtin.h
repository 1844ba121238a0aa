#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/expr/budget.h"
#include "lang/expr/value.h"

// The functions of the language: built in, of the environment, and methods of times.
namespace slipway::lang::expr {

using Arguments = std::span<const Value>;
using Work = Value (*)(Arguments arguments, Budget& budget);
// The type of the answer for arguments of these types (nullptr for nil). Panics with the message.
using Validate = const Type* (*)(std::span<const Type* const> arguments);

// Either `types`, tried in their order, or `validate` says which arguments are right.
struct Builtin {
  std::string_view name;
  std::vector<std::string_view> types = {};
  Work work = nullptr;
  Validate validate = nullptr;
  bool predicate = false;  // the compiler makes a loop of it

  const Type* type() const;  // as a value: `upper == nil`
};
std::span<const Builtin> builtins();
const Builtin* find_builtin(std::string_view name);

// What Argo Rollouts adds. `isNil` and `default` look at the result, not at their argument.
struct EnvFunction {
  std::string_view name;
  std::string_view type;
  bool times = false;  // known to time expressions too
};
std::span<const EnvFunction> env_functions();

struct Method {
  std::string_view receiver;
  std::string_view name;
  std::string_view type;  // "func() int"
  Value (*work)(const Value& receiver, Arguments arguments);

  std::string method_type() const;  // "func(time.Time) int"
};
std::span<const Method> methods();
const Method* find_method(const Type* receiver, std::string_view name);

// Arguments as Go's type assertions take them.
const std::string& text_argument(const Value& value);
double number_argument(const Value& value);
bool bool_argument(const Value& value);
// runtime.ToInt.
std::int64_t integer_of(const Value& value);
[[noreturn]] void not_of_type(const Value& value, std::string_view wanted);

}  // namespace slipway::lang::expr
