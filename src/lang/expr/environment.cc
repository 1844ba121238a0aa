#include "lang/expr/environment.h"

#include "lang/expr/builtin.h"

namespace slipway::lang::expr {

namespace {

Value as_function(const EnvFunction& function) {
  return Value::function(type_named(function.type), {.name = std::string(function.name)});
}

}  // namespace

Environment Environment::for_result(Value result) {
  Environment made;
  made.result_ = result;
  made.add("result", std::move(result));
  for (const EnvFunction& function : env_functions())
    made.add(function.name, as_function(function));
  Map all;
  for (const auto& [name, value] : made.values_) all.put(Value(name), value);
  made.all_ = Value::map(types().object, std::move(all));
  return made;
}

Environment Environment::for_times() {
  Environment made;
  Map all;
  for (const EnvFunction& function : env_functions()) {
    if (!function.times) continue;
    made.add(function.name, as_function(function));
    all.put(Value(function.name), as_function(function));
  }
  made.all_ = Value::map(types().object, std::move(all));
  return made;
}

const Value* Environment::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

const Nature* Environment::nature(std::string_view name) const {
  const auto found = natures_.find(name);
  return found == natures_.end() ? nullptr : &found->second;
}

void Environment::add(std::string_view name, Value value) {
  natures_.emplace(name, value.type() ? Nature::of(value.type()) : Nature::nothing());
  values_.emplace(name, std::move(value));
}

}  // namespace slipway::lang::expr
