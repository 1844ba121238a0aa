#include "lang/expr/builtin.h"
#include "lang/expr/compiler.h"

// Built-in functions; those with a predicate become loops in the program.
namespace slipway::lang::expr {

template <class Body>
void Compiler::emit_loop(const Body& body) {
  const std::size_t begin = program_.code.size();
  const std::size_t end = emit(Op::kJumpIfEnd);
  body();
  emit(Op::kIncrementIndex);
  emit(Op::kJumpBackward, static_cast<std::int64_t>(program_.code.size() - begin) + 1);
  patch(end);
}

// The comparison that ends it stays on the stack, under the answer; expr-lang has it so.
template <class Body>
void Compiler::emit_loop_backwards(const Body& body) {
  emit(Op::kGetLen);
  emit(Op::kInt, 1);
  emit(Op::kSubtract);
  emit(Op::kSetIndex);
  const std::size_t begin = program_.code.size();
  emit(Op::kGetIndex);
  emit(Op::kInt, 0);
  emit(Op::kMoreOrEqual);
  const std::size_t end = emit(Op::kJumpIfFalse);
  body();
  emit(Op::kDecrementIndex);
  emit(Op::kJumpBackward, static_cast<std::int64_t>(program_.code.size() - begin) + 1);
  patch(end);
}

template <class Body>
void Compiler::emit_when(const Body& body) {
  const std::size_t otherwise = emit(Op::kJumpIfFalse);
  emit(Op::kPop);
  body();
  const std::size_t end = emit(Op::kJump);
  patch(otherwise);
  emit(Op::kPop);
  patch(end);
}

void Compiler::compile_builtin(const Node& node) {
  const Builtin* builtin = find_builtin(node.text);
  if (!builtin->predicate) {
    for (const NodePtr& part : node.parts) compile(*part);
    emit(Op::kBuiltin, builtin - builtins().data(), static_cast<std::int64_t>(node.parts.size()));
    return;
  }
  compile(*node.parts[0]);
  emit(Op::kBegin);
  compile_loop(node);
}

void Compiler::compile_loop(const Node& node) {
  const std::string& name = node.text;
  if (name == "all" || name == "none" || name == "any") return compile_all(node);
  if (name == "one") return compile_one_of(node);
  if (name == "filter") return compile_filter(node);
  if (name == "map") return compile_map(node);
  if (name == "count") return compile_count(node);
  if (name == "sum") return compile_sum(node);
  if (name == "groupBy") return compile_group_by(node);
  if (name == "sortBy") return compile_sort_by(node);
  if (name == "reduce") return compile_reduce(node);
  compile_find(node);
}

void Compiler::compile_all(const Node& node) {
  const bool any = node.text == "any";
  std::size_t found = 0;
  emit_loop([&] {
    compile(*node.parts[1]);
    if (node.text == "none") emit(Op::kNot);
    found = emit(any ? Op::kJumpIfTrue : Op::kJumpIfFalse);
    emit(Op::kPop);
  });
  emit(any ? Op::kFalse : Op::kTrue);
  patch(found);
  emit(Op::kEnd);
}

void Compiler::compile_one_of(const Node& node) {
  emit_loop([&] {
    compile(*node.parts[1]);
    emit_when([&] { emit(Op::kIncrementCount); });
  });
  emit(Op::kGetCount);
  emit(Op::kInt, 1);
  emit(Op::kEqual);
  emit(Op::kEnd);
}

void Compiler::compile_filter(const Node& node) {
  emit_loop([&] {
    compile(*node.parts[1]);
    emit_when([&] {
      emit(Op::kIncrementCount);
      if (node.map)
        compile(*node.map);
      else
        emit(Op::kPointer);
    });
  });
  emit(Op::kGetCount);
  emit(Op::kEnd);
  emit(Op::kArray);
}

void Compiler::compile_map(const Node& node) {
  emit_loop([&] { compile(*node.parts[1]); });
  emit(Op::kGetLen);
  emit(Op::kEnd);
  emit(Op::kArray);
}

void Compiler::compile_count(const Node& node) {
  std::size_t enough = 0;
  emit_loop([&] {
    if (node.parts.size() == 2)
      compile(*node.parts[1]);
    else
      emit(Op::kPointer);
    emit_when([&] {
      emit(Op::kIncrementCount);
      if (!node.threshold) return;
      emit(Op::kGetCount);
      emit(Op::kInt, *node.threshold);
      emit(Op::kMoreOrEqual);
      enough = emit(Op::kJumpIfTrue);
      emit(Op::kPop);
    });
  });
  emit(Op::kGetCount);
  if (node.threshold) {
    const std::size_t end = emit(Op::kJump);
    patch(enough);
    emit(Op::kPop);
    emit(Op::kGetCount);
    patch(end);
  }
  emit(Op::kEnd);
}

void Compiler::compile_sum(const Node& node) {
  emit(Op::kInt, 0);
  emit(Op::kSetAcc);
  emit_loop([&] {
    if (node.parts.size() == 2)
      compile(*node.parts[1]);
    else
      emit(Op::kPointer);
    emit(Op::kGetAcc);
    emit(Op::kAdd);
    emit(Op::kSetAcc);
  });
  emit(Op::kGetAcc);
  emit(Op::kEnd);
}

void Compiler::compile_find(const Node& node) {
  const bool index = node.text.ends_with("Index");
  std::size_t found = 0;
  const auto body = [&] {
    compile(*node.parts[1]);
    const std::size_t next = emit(Op::kJumpIfFalse);
    emit(Op::kPop);
    if (index)
      emit(Op::kGetIndex);
    else if (node.map)
      compile(*node.map);
    else
      emit(Op::kPointer);
    found = emit(Op::kJump);
    patch(next);
    emit(Op::kPop);
  };
  if (node.text.starts_with("findLast"))
    emit_loop_backwards(body);
  else
    emit_loop(body);
  if (node.throws)
    emit(Op::kThrow, constant(Value("reflect: slice index out of range")));
  else
    emit(Op::kNil);
  patch(found);
  emit(Op::kEnd);
}

void Compiler::compile_group_by(const Node& node) {
  emit_loop([&] {
    compile(*node.parts[1]);
    emit(Op::kGroupBy);
  });
  emit(Op::kGroups);
  emit(Op::kEnd);
}

void Compiler::compile_sort_by(const Node& node) {
  if (node.parts.size() == 3)
    compile(*node.parts[2]);
  else
    emit_push(Value("asc"));
  emit(Op::kSortOrder);
  emit_loop([&] {
    compile(*node.parts[1]);
    emit(Op::kSortBy);
  });
  emit(Op::kSort);
  emit(Op::kEnd);
}

void Compiler::compile_reduce(const Node& node) {
  if (node.parts.size() == 3) {
    compile(*node.parts[2]);
    emit(Op::kSetAcc);
  } else {
    const std::size_t empty = emit(Op::kJumpIfEnd);
    emit(Op::kPointer);
    emit(Op::kIncrementIndex);
    emit(Op::kSetAcc);
    const std::size_t filled = emit(Op::kJump);
    patch(empty);
    emit(Op::kThrow, constant(Value("reduce of empty array with no initial value")));
    patch(filled);
  }
  emit_loop([&] {
    compile(*node.parts[1]);
    emit(Op::kSetAcc);
  });
  emit(Op::kGetAcc);
  emit(Op::kEnd);
}

}  // namespace slipway::lang::expr
