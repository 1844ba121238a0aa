#include <fmt/format.h>

#include "api/apply/field_set.h"

namespace slipway::api {

namespace {

// A node without children is a member; one with children is a member when it says so with ".".
Result<FieldSet> read_node(const json::Value& value, std::size_t depth) {
  if (!value.is_object())
    return fail(ErrorCode::kInvalid,
                fmt::format("fieldsV1 holds {}; only objects may stand there", json::write(value)));
  if (depth == 0) return fail(ErrorCode::kInvalid, "fieldsV1 is nested too deep");
  FieldSet set;
  for (const auto& [key, below] : value.get_object()) {
    if (key == ".") {
      set.member = true;
      continue;
    }
    auto element = parse_path_element(key);
    if (!element && element.error().code == ErrorCode::kNotFound) continue;
    if (!element) return std::unexpected(std::move(element).error());
    auto child = read_node(below, depth - 1);
    if (!child) return child;
    set.grow(std::move(*element), std::move(*child));
  }
  set.settle();
  // Two spellings of one key ({"a":1,"b":2} and {"b":2,"a":1}) are one element.
  for (std::size_t i = 1; i < set.children.size();) {
    FieldSet::Node& previous = set.children[i - 1];
    if (previous.element != set.children[i].element) {
      ++i;
      continue;
    }
    previous.set = previous.set.united(set.children[i].set);
    set.children.erase(set.children.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (set.children.empty()) set.member = true;
  return set;
}

void write_node(const FieldSet& set, bool with_self, json::Object& out) {
  out.reserve(set.children.size() + (with_self ? 1 : 0));
  if (with_self) out.emplace(".", json::Object());
  for (const FieldSet::Node& node : set.children) {
    auto& below = out.emplace(to_string(node.element), json::Object()).first->value().get_object();
    if (!node.set.children.empty()) write_node(node.set, node.set.member, below);
  }
}

}  // namespace

Result<FieldSet> FieldSet::read(const json::Value& fields_v1) {
  if (fields_v1.is_null()) return FieldSet();
  auto set = read_node(fields_v1, json::kMaxDepth);
  if (set) set->member = false;
  return set;
}

json::Value FieldSet::write() const {
  json::Object out;
  write_node(*this, false, out);
  return out;
}

}  // namespace slipway::api
