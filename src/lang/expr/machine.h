#pragma once

#include <vector>

#include "lang/expr/budget.h"
#include "lang/expr/environment.h"
#include "lang/expr/program.h"

namespace slipway::lang::expr {

// Runs a program once. Throws SourceFailure: what panicked, at the place of its instruction.
class Machine {
 public:
  Machine(const Program& program, const Environment& environment, Budget budget)
      : program_(program),
        environment_(environment),
        budget_(budget),
        variables_(static_cast<std::size_t>(program.variables)) {}

  Value run();

 private:
  // A loop over a list that is under way.
  struct Scope {
    Value list;
    std::int64_t index = 0;
    std::int64_t length = 0;
    std::int64_t count = 0;
    Value acc = {};
    std::vector<Value> items = {};  // of sortBy and groupBy
    std::vector<Value> keys = {};
    bool descending = false;
  };

  void push(Value value);
  Value pop();
  const Value& top() const;
  std::vector<Value> pop_many(std::int64_t count);
  Scope& scope() { return scopes_.back(); }

  void charge_operands(const Instruction& step);
  void execute(const Instruction& step);
  void execute_value(const Instruction& step);
  void execute_jump(const Instruction& step);
  void execute_operator(const Instruction& step);
  void execute_comparison(const Instruction& step);
  void execute_text_operator(const Instruction& step);
  void execute_call(const Instruction& step);
  void execute_loop(const Instruction& step);

  void make_array();
  void make_map();
  void make_range();
  void match(const Value& text, const Pattern& pattern);
  void set_sort_order();
  void sort();
  void group();
  Value grouped();
  Value call(const Value& function, const std::vector<Value>& arguments, bool direct);
  Value call_env(const std::string& name, const std::vector<Value>& arguments);

  const Program& program_;
  const Environment& environment_;
  Budget budget_;
  std::vector<Value> stack_;
  std::vector<Value> variables_;
  std::vector<Scope> scopes_;
  std::int64_t next_ = 0;
};

}  // namespace slipway::lang::expr
