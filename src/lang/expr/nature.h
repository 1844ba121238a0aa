#pragma once

#include <memory>
#include <string>

#include "lang/expr/type.h"

namespace slipway::lang::expr {

struct Builtin;

// What is known of an expression's value before it runs.
struct Nature {
  const Type* type = nullptr;        // nullptr: unknown, or nil
  bool nil = false;                  // it is nil
  bool method = false;               // a method: the type's first parameter is the receiver
  const Builtin* builtin = nullptr;  // a built-in function, named but not called
  std::shared_ptr<const Nature> elem = nullptr;  // of a []interface {} whose elements are known

  static Nature of(const Type* type) { return {.type = type}; }
  static Nature unknown() { return {}; }
  static Nature nothing() { return {.nil = true}; }
  static Nature list_of(Nature elem);

  bool has(Kind kind) const { return type && type->kind == kind; }
  bool is_unknown() const { return type ? type->kind == Kind::kInterface : !nil; }
  bool is_bool() const { return has(Kind::kBool); }
  bool is_string() const { return has(Kind::kString); }
  bool is_integer() const { return type && type->is_integer(); }
  bool is_float() const { return type && type->is_float(); }
  bool is_number() const { return type && type->is_number(); }
  bool is_list() const { return type && type->is_list(); }
  bool is_time() const { return type == types().time; }
  bool is_duration() const { return type == types().duration; }
  std::string name() const { return type ? type->name : "unknown"; }

  Nature element() const;  // of lists and maps; else unknown
  bool assignable_to(const Nature& target) const;
  bool comparable_to(const Nature& other) const;
};

}  // namespace slipway::lang::expr
