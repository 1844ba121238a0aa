#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lang/expr/nature.h"
#include "lang/expr/value.h"

namespace slipway::lang::expr {

// The names a condition starts with: `result` and Argo's functions. Their types come from the
// values, so the same condition may be wrong for one result and right for another.
class Environment {
 public:
  static Environment for_result(Value result);
  static Environment for_any_result();  // one of a type that is not known yet; to check, not to run
  static Environment for_times();

  // nullptr for a name that is not there.
  const Value* find(std::string_view name) const;
  const Nature* nature(std::string_view name) const;
  const Value& result() const { return result_; }
  // $env: all of it as a map.
  Value all() const;

 private:
  // Functions: the same for all, so they are made once.
  struct Names;
  static const Names& for_conditions();
  static const Names& for_ranges();
  explicit Environment(const Names& names) : names_(&names) {}

  const Names* names_;
  bool has_result_ = false;
  Value result_;
  Nature result_nature_;
};

}  // namespace slipway::lang::expr
