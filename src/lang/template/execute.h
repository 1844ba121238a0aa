#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/template/functions.h"
#include "lang/template/output.h"
#include "lang/template/parser.h"
#include "lang/template/template.h"

// Runs parsed trees. Private to lang/template.
namespace slipway::lang::go {

class Executor {
 public:
  struct Program {
    std::string_view text;
    const TemplateOptions& options;
    const Functions& functions;
    const Trees& trees;
  };

  explicit Executor(Program program);

  // Throws Failure or LimitReached.
  std::string run(const Value& dot);

 private:
  enum class Flow { kOn, kBreak, kContinue };
  struct Variable {
    std::string_view name;
    Value value;
  };
  // One level further in, while it lives.
  class Deeper {
   public:
    explicit Deeper(Executor& executor);
    ~Deeper() { --executor_.depth_; }
    Deeper(const Deeper&) = delete;

   private:
    Executor& executor_;
  };
  using Words = std::span<const NodePtr>;     // arguments of a command
  using Final = const std::optional<Value>&;  // what the pipeline hands on to its next command

  // Statements.
  Flow walk(const Value& dot, const Node& node);
  Flow walk_list(const Value& dot, const Node& list);
  Flow branch(const Value& dot, const Node& node);
  Flow range(const Value& dot, const Node& node);
  Flow range_over(const Value& value, const Node& node, bool& ran);
  Flow iteration(const Value& index, const Value& item, const Node& node);
  void template_call(const Value& dot, const Node& node);
  void print(const Node& node, const Value& value);

  // Expressions.
  Value pipeline(const Value& dot, const Node* pipe);
  Value command(const Value& dot, const Node& command, Final final);
  Value constant(const Node& node);
  Value field_chain(const Value& receiver, std::span<const std::string> names, bool has_args);
  Value field(const Value& receiver, std::string_view name, bool has_args);
  Value chain(const Value& dot, const Node& node, bool has_args);
  Value variable(const Node& node, Words words, bool has_args);
  void not_a_function(const Node& word, bool has_args);

  // Calls.
  struct Callee {
    std::string_view name;
    const Function* function;
    bool builtin;
  };
  Value function(const Value& dot, const Node& name, const Node& whole, Words args, Final final);
  Value call(const Value& dot, const Callee& callee, const Node& whole, Words args, Final final);
  void check_count(const Callee& callee, std::size_t words, std::size_t given);
  Value logic(const Value& dot, bool is_or, Words args, Final final);
  [[noreturn]] void call_function_value(const Node& whole, Words args, Final final,
                                        const Value& called);
  Value argument(const Value& dot, std::optional<Param> param, const Node& node);
  Value literal(Param param, const Node& node);
  Value accepted(const Value& value, std::optional<Param> param);

  void at(const Node& node) { node_ = &node; }
  void push(std::string_view name, const Value& value) { variables_.push_back({name, value}); }
  void set(std::string_view name, const Value& value);
  const Value& get(std::string_view name);
  void step(std::size_t count = 1);
  [[noreturn]] void fail(std::string_view message) const;

  Program program_;
  Output out_;
  Scratch scratch_;
  const Tree* tree_ = nullptr;
  const Node* node_ = nullptr;  // where errors are said to be
  std::vector<Variable> variables_;
  std::size_t steps_ = 0;
  int calls_ = 0;
  int depth_ = 0;
};

}  // namespace slipway::lang::go
