#include "lang/expr/environment.h"

#include "lang/expr/builtin.h"

namespace slipway::lang::expr {

namespace {

Value as_function(const EnvFunction& function) {
  return Value::function(type_named(function.type), {.name = std::string(function.name)});
}

}  // namespace

struct Environment::Names {
  std::map<std::string, Value, std::less<>> values;
  std::map<std::string, Nature, std::less<>> natures;

  explicit Names(bool only_times) {
    for (const EnvFunction& function : env_functions()) {
      if (only_times && !function.times) continue;
      Value value = as_function(function);
      natures.emplace(function.name, Nature::of(value.type()));
      values.emplace(function.name, std::move(value));
    }
  }
};

const Environment::Names& Environment::for_conditions() {
  static const Names kNames(false);
  return kNames;
}

const Environment::Names& Environment::for_ranges() {
  static const Names kNames(true);
  return kNames;
}

Environment Environment::for_result(Value result) {
  Environment made(for_conditions());
  made.has_result_ = true;
  made.result_nature_ = result.type() ? Nature::of(result.type()) : Nature::nothing();
  made.result_ = std::move(result);
  return made;
}

Environment Environment::for_any_result() {
  Environment made(for_conditions());
  made.has_result_ = true;
  made.result_nature_ = Nature::unknown();
  return made;
}

Environment Environment::for_times() { return Environment(for_ranges()); }

const Value* Environment::find(std::string_view name) const {
  if (has_result_ && name == "result") return &result_;
  const auto found = names_->values.find(name);
  return found == names_->values.end() ? nullptr : &found->second;
}

const Nature* Environment::nature(std::string_view name) const {
  if (has_result_ && name == "result") return &result_nature_;
  const auto found = names_->natures.find(name);
  return found == names_->natures.end() ? nullptr : &found->second;
}

Value Environment::all() const {
  auto values = names_->values;
  if (has_result_) values.emplace("result", result_);
  Map all;
  for (const auto& [name, value] : values) all.put(Value(name), value);
  return Value::map(types().object, std::move(all));
}

}  // namespace slipway::lang::expr
