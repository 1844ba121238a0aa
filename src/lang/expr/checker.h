#pragma once

#include <expected>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "lang/expr/environment.h"
#include "lang/expr/node.h"
#include "lang/expr/work.h"

namespace slipway::lang::expr {

// Finds the nature of every node and what cannot work. Throws SourceFailure at the first thing
// found. Integers written where a function takes floats become floats.
class Checker {
 public:
  Checker(const Environment& environment, CompileWork& work)
      : environment_(environment), work_(work) {}

  Nature check(const NodePtr& node);

 private:
  struct Variable {
    std::string name;
    Nature nature;
  };
  struct Scope {
    Nature collection;
    std::vector<Variable> variables;
  };
  using Checked = std::expected<Nature, SourceFailure>;

  [[noreturn]] static void fail(const Node& at, std::string message);
  Nature nature_of(const NodePtr& node);

  // checker.cc
  Nature check_identifier(const Node& node);
  Nature check_name(const Node& node, const std::string& name, bool strict, bool builtins);
  Nature check_member(const Node& node);
  Nature member_of(const Node& node, const Nature& base, const Nature& property);
  Nature check_slice(const Node& node);
  Nature check_pointer(const Node& node);
  Nature check_variable(const Node& node);
  Nature check_sequence(const Node& node);
  Nature check_conditional(const Node& node);
  Nature check_array(const Node& node);

  // checker_operators.cc
  Nature check_unary(const Node& node);
  Nature check_binary(const Node& node);
  Nature check_in(const Node& node, const Nature& left, const Nature& right);

  // checker_calls.cc
  Nature check_call(const NodePtr& node);
  Nature check_function(const Builtin& builtin, Node& node, std::size_t first_argument);
  Checked check_arguments(std::string_view name, const Nature& function, Node& node,
                          std::size_t first_argument);
  // The complaint, or an empty text.
  static std::string wrong_count(std::string_view name, const Type& function, std::size_t wanted,
                                 std::size_t given);
  Nature check_get(const Node& node);

  // checker_builtins.cc
  Nature check_builtin(Node& node);
  Nature check_loop(const Node& node);
  Nature check_reduce(const Node& node, const Nature& collection);
  Nature check_sort_by(const Node& node, const Nature& collection);
  Nature check_sum(const Node& node, const Nature& collection);
  // The nature of a predicate's value, which may have to be a boolean.
  Nature check_predicate(const Node& node, const Nature& collection,
                         std::vector<Variable> variables, bool boolean);

  const Environment& environment_;
  CompileWork& work_;
  std::vector<Scope> scopes_;
  std::vector<Variable> variables_;
};

}  // namespace slipway::lang::expr
