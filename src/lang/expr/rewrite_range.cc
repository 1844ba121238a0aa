#include <optional>

#include "lang/expr/optimizer.h"
#include "lang/expr/rewrite.h"

// Sums over a range that is written out, done by formula.
namespace slipway::lang::expr {

namespace {

// Go's integers wrap around, so these are sums modulo 2^64 until they are divided.
using Wrapped = std::uint64_t;

struct Range {
  Wrapped count = 0;
  Wrapped sum = 0;
};

std::optional<Range> constant_range(const Node& node) {
  if (!node.is(NodeKind::kBinary, "..") || !node.parts[0]->is(NodeKind::kInteger) ||
      !node.parts[1]->is(NodeKind::kInteger) || node.parts[1]->integer < node.parts[0]->integer)
    return std::nullopt;
  const auto from = static_cast<Wrapped>(node.parts[0]->integer);
  const auto to = static_cast<Wrapped>(node.parts[1]->integer);
  const Wrapped count = to - from + 1;
  const auto twice = static_cast<std::int64_t>(count * (from + to));
  return Range{.count = count, .sum = static_cast<Wrapped>(twice / 2)};
}

bool is_pointer(const Node& node, std::string_view name) {
  return node.is(NodeKind::kPointer, name);
}

std::optional<Wrapped> sum_with(const Range& range, const Node& predicate) {
  const Node& body = *predicate.parts[0];
  if (is_pointer(body, "")) return range.sum;
  if (!body.is(NodeKind::kBinary)) return std::nullopt;
  const Node& left = *body.parts[0];
  const Node& right = *body.parts[1];
  const bool pointer_first = is_pointer(left, "") && right.is(NodeKind::kInteger);
  if (!pointer_first && !(left.is(NodeKind::kInteger) && is_pointer(right, "")))
    return std::nullopt;
  const auto constant = static_cast<Wrapped>(pointer_first ? right.integer : left.integer);
  if (body.text == "*") return constant * range.sum;
  if (body.text == "+") return range.sum + range.count * constant;
  if (body.text == "-")
    return pointer_first ? range.sum - range.count * constant : range.count * constant - range.sum;
  return std::nullopt;
}

bool is_pointer_plus_acc(const Node& predicate) {
  const Node& body = *predicate.parts[0];
  if (!body.is(NodeKind::kBinary, "+")) return false;
  const Node& left = *body.parts[0];
  const Node& right = *body.parts[1];
  return (is_pointer(left, "") && is_pointer(right, "acc")) ||
         (is_pointer(left, "acc") && is_pointer(right, ""));
}

void replace(NodePtr& slot, Wrapped value) {
  replace_with_literal(slot,
                       {.kind = NodeKind::kInteger, .integer = static_cast<std::int64_t>(value)});
}

}  // namespace

void rewrite_sum_of_range(NodePtr& slot) {
  const bool sum = slot->is(NodeKind::kBuiltin, "sum");
  if (!sum && !slot->is(NodeKind::kBuiltin, "reduce")) return;
  const auto range = constant_range(*slot->parts[0]);
  if (!range) return;
  if (sum && slot->parts.size() == 1) return replace(slot, range->sum);
  if (sum) {
    if (const auto total = sum_with(*range, *slot->parts[1])) replace(slot, *total);
    return;
  }
  if (!is_pointer_plus_acc(*slot->parts[1])) return;
  if (slot->parts.size() == 2) return replace(slot, range->sum);
  if (slot->parts[2]->is(NodeKind::kInteger))
    replace(slot, static_cast<Wrapped>(slot->parts[2]->integer) + range->sum);
}

}  // namespace slipway::lang::expr
