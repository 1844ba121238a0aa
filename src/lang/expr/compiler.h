#pragma once

#include <string>
#include <vector>

#include "lang/expr/node.h"
#include "lang/expr/program.h"
#include "lang/expr/work.h"

namespace slipway::lang::expr {

// Makes the program of a checked and optimized tree.
class Compiler {
 public:
  explicit Compiler(CompileWork& work) : work_(work) {}

  Program run(const Node& root);

 private:
  struct Variable {
    std::string name;
    std::int64_t index;
  };

  // Each gives the place of the instruction, for patch().
  std::size_t emit(Op op, std::int64_t argument = 0, std::int64_t count = 0);
  std::size_t emit_push(Value value) { return emit(Op::kPush, constant(std::move(value))); }
  std::int64_t constant(Value value);
  // Makes the jump at `place` go to what is emitted next.
  void patch(std::size_t place);

  void compile(const Node& node);
  void compile_one(const Node& node);
  void compile_identifier(const Node& node);
  void compile_unary(const Node& node);
  void compile_binary(const Node& node);
  void compile_equal(const Node& node);
  void compile_matches(const Node& node);
  void compile_either(const Node& node, Op jump);
  void compile_chain(const Node& node);
  void compile_member(const Node& node);
  void compile_slice(const Node& node);
  void compile_call(const Node& node);
  void compile_pointer(const Node& node);
  void compile_variable(const Node& node);
  void compile_conditional(const Node& node);

  // compiler_loops.cc
  void compile_builtin(const Node& node);
  void compile_loop(const Node& node);
  void compile_all(const Node& node);
  void compile_one_of(const Node& node);
  void compile_filter(const Node& node);
  void compile_map(const Node& node);
  void compile_count(const Node& node);
  void compile_sum(const Node& node);
  void compile_find(const Node& node);
  void compile_group_by(const Node& node);
  void compile_sort_by(const Node& node);
  void compile_reduce(const Node& node);
  template <class Body>
  void emit_loop(const Body& body);
  template <class Body>
  void emit_loop_backwards(const Body& body);
  template <class Body>
  void emit_when(const Body& body);

  CompileWork& work_;
  Program program_;
  std::vector<const Node*> path_;
  std::vector<Variable> variables_;
  std::vector<std::vector<std::size_t>> chains_;
};

}  // namespace slipway::lang::expr
