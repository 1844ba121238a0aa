#include "lang/expr/rewrite.h"

#include <algorithm>

#include "lang/expr/operators.h"
#include "lang/expr/optimizer.h"

namespace slipway::lang::expr {

namespace {

// A longer sum stays a loop, so that the tree does not get too deep.
constexpr std::size_t kMaxUnrolled = 100;

bool all_are(const std::vector<NodePtr>& parts, NodeKind kind) {
  return std::ranges::all_of(parts, [kind](const NodePtr& part) { return part->is(kind); });
}

void replace_by_set(NodePtr& slot, const Type* type) {
  Map set;
  for (const NodePtr& part : slot->parts[1]->parts) {
    Value key = part->is(NodeKind::kInteger) ? Value(part->integer) : Value(part->text);
    set.put(key, Value::integer(types().empty, 0));
  }
  Node constant{.kind = NodeKind::kConstant, .nature = Nature::of(type)};
  constant.constant = Value::map(type, std::move(set));
  NodePtr made = make_node({.kind = NodeKind::kBinary,
                            .text = slot->text,
                            .parts = {slot->parts[0], make_node(std::move(constant))}});
  replace_keeping_type(slot, std::move(made));
}

bool is_filter(const Node& node) {
  return node.is(NodeKind::kBuiltin, "filter") && node.parts.size() == 2;
}

bool uses_index(const Node& node) {
  if (node.is(NodeKind::kPointer, "index")) return true;
  return std::ranges::any_of(node.parts,
                             [](const NodePtr& part) { return part && uses_index(*part); });
}

NodePtr loop(std::string name, std::vector<NodePtr> parts) {
  return make_node(
      {.kind = NodeKind::kBuiltin, .text = std::move(name), .parts = std::move(parts)});
}

NodePtr binary(std::string_view op, NodePtr left, NodePtr right) {
  return make_node({.kind = NodeKind::kBinary,
                    .text = std::string(op),
                    .parts = {std::move(left), std::move(right)}});
}

void replace_by_find(NodePtr& slot, std::string name, const Node& filter, bool throws) {
  NodePtr made = loop(std::move(name), filter.parts);
  made->throws = throws;
  made->map = filter.map;
  replace_keeping_type(slot, std::move(made));
}

void find_instead(NodePtr& slot, std::int64_t index, std::string_view function,
                  std::string_view find) {
  if (slot->is(NodeKind::kMember) && !slot->flag) {
    const NodePtr property = slot->parts[1];
    const NodePtr base = slot->parts[0];
    if (property->is(NodeKind::kInteger) && property->integer == index && is_filter(*base))
      return replace_by_find(slot, std::string(find), *base, true);
  }
  if (slot->is(NodeKind::kBuiltin, function) && slot->parts.size() == 1 &&
      is_filter(*slot->parts[0])) {
    const NodePtr base = slot->parts[0];
    replace_by_find(slot, std::string(find), *base, false);
  }
}

// none(x, p) and none(x, q) is none(x, p or q).
std::string_view combined_operator(std::string_view loop_name, std::string_view op) {
  if (loop_name == "all" && is_and(op)) return op;
  if (loop_name == "any" && is_or(op)) return op;
  if (loop_name == "none" && is_and(op)) return op == "and" ? "or" : "||";
  return {};
}

bool is_count(const Node& node) {
  return node.is(NodeKind::kBinary) && node.parts[0]->is(NodeKind::kBuiltin, "count") &&
         node.parts[0]->parts.size() == 2 && node.parts[1]->is(NodeKind::kInteger);
}

}  // namespace

void rewrite_in_list(NodePtr& slot) {
  if (!slot->is(NodeKind::kBinary, "in") || !slot->parts[1]->is(NodeKind::kArray)) return;
  const std::vector<NodePtr>& items = slot->parts[1]->parts;
  if (items.empty()) return;
  if (slot->parts[0]->type()->kind == Kind::kInt && all_are(items, NodeKind::kInteger))
    return replace_by_set(slot, types().integer_set);
  if (all_are(items, NodeKind::kString)) replace_by_set(slot, types().text_set);
}

void rewrite_in_range(NodePtr& slot) {
  if (!slot->is(NodeKind::kBinary, "in") || slot->parts[0]->type()->kind != Kind::kInt) return;
  const NodePtr range = slot->parts[1];
  if (!range->is(NodeKind::kBinary, "..") || !all_are(range->parts, NodeKind::kInteger)) return;
  const NodePtr needle = slot->parts[0];
  replace_keeping_type(slot, binary("and", binary(">=", needle, range->parts[0]),
                                    binary("<=", needle, range->parts[1])));
}

void rewrite_filter_map(NodePtr& slot) {
  if (!slot->is(NodeKind::kBuiltin, "map") || slot->parts.size() != 2) return;
  const NodePtr filter = slot->parts[0];
  if (!filter->is(NodeKind::kBuiltin, "filter") || filter->map || uses_index(*slot->parts[1]))
    return;
  NodePtr made = loop("filter", filter->parts);
  made->map = slot->parts[1]->parts[0];
  replace_keeping_type(slot, std::move(made));
}

void rewrite_filter_len(NodePtr& slot) {
  if (!slot->is(NodeKind::kBuiltin, "len") || slot->parts.size() != 1) return;
  const NodePtr filter = slot->parts[0];
  if (is_filter(*filter)) replace_keeping_type(slot, loop("count", filter->parts));
}

void rewrite_filter_last(NodePtr& slot) { find_instead(slot, -1, "last", "findLast"); }
void rewrite_filter_first(NodePtr& slot) { find_instead(slot, 0, "first", "find"); }

void rewrite_two_loops(NodePtr& slot) {
  if (!slot->is(NodeKind::kBinary)) return;
  const NodePtr left = slot->parts[0];
  const NodePtr right = slot->parts[1];
  if (!left->is(NodeKind::kBuiltin) || !right->is(NodeKind::kBuiltin, left->text)) return;
  const std::string_view op = combined_operator(left->text, slot->text);
  if (op.empty() || left->parts[0]->type() != right->parts[0]->type() ||
      !same_tree(*left->parts[0], *right->parts[0]))
    return;
  NodePtr both = binary(op, left->parts[1]->parts[0], right->parts[1]->parts[0]);
  rewrite_two_loops(both);
  NodePtr predicate = make_node({.kind = NodeKind::kPredicate, .parts = {std::move(both)}});
  replace_keeping_type(slot, loop(left->text, {left->parts[0], std::move(predicate)}));
}

void rewrite_sum_of_array(NodePtr& slot) {
  if (!slot->is(NodeKind::kBuiltin, "sum") || slot->parts.size() != 1) return;
  const NodePtr array = slot->parts[0];
  if (!array->is(NodeKind::kArray) || array->parts.size() < 2) return;
  if (array->parts.size() > kMaxUnrolled) return;
  NodePtr sum = array->parts.back();
  for (std::size_t i = array->parts.size() - 1; i-- > 0;) sum = binary("+", array->parts[i], sum);
  replace_keeping_type(slot, std::move(sum));
}

void rewrite_sum_of_map(NodePtr& slot) {
  if (!slot->is(NodeKind::kBuiltin, "sum") || slot->parts.size() != 1) return;
  const NodePtr map = slot->parts[0];
  if (map->is(NodeKind::kBuiltin, "map") && map->parts.size() == 2)
    replace_keeping_type(slot, loop("sum", map->parts));
}

void rewrite_count_any(NodePtr& slot) {
  if (!is_count(*slot)) return;
  const std::int64_t number = slot->parts[1]->integer;
  if ((slot->text == ">" && number == 0) || (slot->text == ">=" && number == 1)) {
    const NodePtr count = slot->parts[0];
    replace_keeping_type(slot, loop("any", count->parts));
  }
}

void rewrite_count_threshold(NodePtr& slot) {
  if (!is_count(*slot) || slot->parts[1]->integer < 0 || !is_comparison(slot->text)) return;
  const auto number = static_cast<std::uint64_t>(slot->parts[1]->integer);
  const bool beyond = slot->text == ">" || slot->text == "<=";
  const auto threshold = static_cast<std::int64_t>(beyond ? number + 1 : number);
  if (threshold > 1) slot->parts[0]->threshold = threshold;
}

}  // namespace slipway::lang::expr
