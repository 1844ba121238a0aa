#include <fmt/format.h>

#include "lang/expr/builtin.h"
#include "lang/expr/checker.h"

// Built-in functions, those that loop over a list with a predicate first.
namespace slipway::lang::expr {

namespace {

constexpr std::string_view kNoValue = "predicate should has one input and one output param";

bool wants_boolean(std::string_view name) {
  for (const std::string_view loop : {"all", "none", "any", "one", "filter", "count", "find",
                                      "findLast", "findIndex", "findLastIndex"})
    if (name == loop) return true;
  return false;
}

}  // namespace

Nature Checker::check_builtin(Node& node) {
  const Builtin* builtin = find_builtin(node.text);
  if (builtin->predicate) return check_loop(node);
  if (node.text == "get") return check_get(node);
  return check_function(*builtin, node, 0);
}

Nature Checker::check_predicate(const Node& node, const Nature& collection,
                                std::vector<Variable> variables, bool boolean) {
  scopes_.push_back({collection, std::move(variables)});
  Nature value = check(node.parts[1]);
  scopes_.pop_back();
  if (boolean && !value.nil && !value.is_bool() && !value.is_unknown())
    fail(*node.parts[1], fmt::format("predicate should return boolean (got {})", value.name()));
  return value;
}

Nature Checker::check_loop(const Node& node) {
  const std::string& name = node.text;
  const Nature collection = check(node.parts[0]);
  if (!collection.is_list() && !collection.is_unknown())
    fail(*node.parts[0],
         fmt::format("builtin {} takes only array (got {})", name, collection.name()));
  if (name == "sum") return check_sum(node, collection);
  if (name == "reduce") return check_reduce(node, collection);
  if (name == "sortBy") return check_sort_by(node, collection);
  if (name == "count" && node.parts.size() == 1) return Nature::of(types().integer);
  std::vector<Variable> variables;
  if (name == "map") variables.push_back({"index", Nature::of(types().integer)});
  Nature value = check_predicate(node, collection, std::move(variables), wants_boolean(name));
  if (value.nil) fail(*node.parts[1], std::string(kNoValue));
  if (name == "map") return Nature::list_of(std::move(value));
  if (name == "groupBy") return Nature::of(types().groups);
  if (name == "filter")
    return collection.is_unknown() ? Nature::of(types().anys)
                                   : Nature::list_of(collection.element());
  if (name == "find" || name == "findLast") return collection.element();
  if (name == "count" || name == "findIndex" || name == "findLastIndex")
    return Nature::of(types().integer);
  return Nature::of(types().boolean);
}

Nature Checker::check_sum(const Node& node, const Nature& collection) {
  if (node.parts.size() == 1) return collection.element();
  const Nature value = check_predicate(node, collection, {}, false);
  if (!value.nil) return value.is_unknown() ? Nature::of(types().any) : Nature::of(value.type);
  // expr-lang goes on to compare the arguments with a signature that nothing fits.
  if (!collection.is_unknown() && collection.type != types().anys)
    fail(*node.parts[0],
         fmt::format("cannot use {} as argument (type []interface {{}}) to call sum ",
                     collection.name()));
  check(node.parts[1]);
  fail(*node.parts[1],
       "cannot use func(interface {}) as argument (type func(interface {}) bool) to call sum ");
}

Nature Checker::check_reduce(const Node& node, const Nature& collection) {
  Nature value =
      check_predicate(node, collection,
                      {{"index", Nature::of(types().integer)}, {"acc", Nature::unknown()}}, false);
  if (node.parts.size() == 3) check(node.parts[2]);
  if (value.nil) fail(*node.parts[1], "predicate should has two input and one output param");
  return value;
}

Nature Checker::check_sort_by(const Node& node, const Nature& collection) {
  const Nature value = check_predicate(node, collection, {}, false);
  if (node.parts.size() == 3) {
    const Nature order = check(node.parts[2]);
    if (!order.is_string() && !order.is_unknown())
      fail(*node.parts[2],
           fmt::format("sortBy order argument must be a string (got {})", order.name()));
  }
  if (value.nil) fail(*node.parts[1], std::string(kNoValue));
  return collection;
}

}  // namespace slipway::lang::expr
