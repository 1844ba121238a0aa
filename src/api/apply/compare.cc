#include "api/apply/compare.h"

#include <algorithm>
#include <ranges>

#include "api/apply/typed_value.h"

namespace slipway::api {

namespace {

class Comparer {
 public:
  explicit Comparer(bool native) : native_(native) {}

  // What differs at and below one path; the path itself is the root of the sets.
  Comparison compare(const json::Value* before, const json::Value* after, const Schema* schema) {
    Comparison out;
    Form left = form_of(schema, before);
    Form right = form_of(schema, after);
    bool leaf = false;
    if (after == nullptr) {
      leaf = compare_as(left, before, after, schema, out);
    } else if (before == nullptr || left == right) {
      leaf = compare_as(right, before, after, schema, out);
    } else {
      Comparison as_before;
      compare_as(left, before, after, schema, as_before);
      leaf = compare_as(right, before, after, schema, out);
      out.removed = out.removed.united(as_before.removed);
      out.modified = out.modified.united(as_before.modified);
      out.added = out.added.united(as_before.added);
    }
    if (!leaf && before == nullptr) out.added.member = true;
    if (!leaf && before != nullptr && after == nullptr) out.removed.member = true;
    return out;
  }

  void compare_maps(const json::Object* before, const json::Object* after, const Schema* schema,
                    Comparison& out) {
    if (before != nullptr)
      for (const auto& [key, value] : *before)
        attach(PathElement::field(key),
               compare(&value, other_side(after, key, schema), member_type(schema, key)), out);
    if (before == nullptr && after != nullptr) out.added.children.reserve(after->size());
    if (after != nullptr)
      for (const auto& [key, value] : *after)
        if (before == nullptr || !before->contains(key))
          attach(PathElement::field(key),
                 compare(other_side(before, key, schema), &value, member_type(schema, key)), out);
    out.removed.settle();
    out.modified.settle();
    out.added.settle();
  }

 private:
  // True when the value is one leaf.
  bool compare_as(Form form, const json::Value* before, const json::Value* after,
                  const Schema* schema, Comparison& out) {
    switch (form) {
      case Form::kMap:
        if (!is_atomic_map(schema) &&
            !(is_empty(object_in(before)) && is_empty(object_in(after)))) {
          compare_maps(object_in(before), object_in(after), schema, out);
          return false;
        }
        break;
      case Form::kList:
        if (!is_atomic_list(schema) && !(is_empty(array_in(before)) && is_empty(array_in(after)))) {
          compare_lists(array_in(before), array_in(after), *schema, out);
          return false;
        }
        break;
      case Form::kScalar:
        break;
    }
    if (before == nullptr)
      out.added.member = true;
    else if (after == nullptr)
      out.removed.member = true;
    else if (!json::same(*before, *after))
      out.modified.member = true;
    return true;
  }

  const json::Value* other_side(const json::Object* object, std::string_view key,
                                const Schema* schema) const {
    if (object == nullptr) return nullptr;
    if (const json::Value* value = object->if_contains(key)) return value;
    if (!native_ || schema == nullptr || schema->shape != Shape::kObject) return nullptr;
    const Field* field = schema->find(key);
    return field == nullptr ? nullptr : go_zero(*field);
  }

  void compare_lists(const json::Array* before, const json::Array* after, const Schema& list,
                     Comparison& out) {
    std::vector<ListItem> left, right;
    if (before != nullptr) left = sorted_items_of(list, *before);
    if (after != nullptr) right = sorted_items_of(list, *after);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() || r != right.end()) {
      bool from_left = r == right.end() || (l != left.end() && l->element <= r->element);
      PathElement element = from_left ? l->element : r->element;
      auto same = [&](const ListItem& item) { return item.element == element; };
      auto l_end = std::find_if_not(l, left.end(), same);
      auto r_end = std::find_if_not(r, right.end(), same);
      attach(std::move(element), compare_items({l, l_end}, {r, r_end}, list), out);
      l = l_end;
      r = r_end;
    }
  }

  using Items = std::ranges::subrange<std::vector<ListItem>::iterator>;

  // Items that share their key (the server once let them in) count as one value without parts.
  Comparison compare_items(Items before, Items after, const Schema& list) {
    auto first = [](const Items& items) { return items.empty() ? nullptr : items.front().value; };
    if (before.size() <= 1 && after.size() <= 1)
      return compare(first(before), first(after), list.element);
    Comparison out;
    if (before.size() >= 2 && after.size() >= 2) {
      out.modified.member = !std::ranges::equal(
          before, after,
          [](const ListItem& a, const ListItem& b) { return json::same(*a.value, *b.value); });
    } else if (before.size() >= 2) {
      if (!after.empty()) out = compare(nullptr, first(after), list.element);
      out.removed.member = true;
    } else {
      if (!before.empty()) out = compare(first(before), nullptr, list.element);
      out.added.member = true;
    }
    return out;
  }

  static void attach(PathElement element, Comparison below, Comparison& out) {
    if (!below.removed.empty()) out.removed.grow(element, std::move(below.removed));
    if (!below.modified.empty()) out.modified.grow(element, std::move(below.modified));
    if (!below.added.empty()) out.added.grow(std::move(element), std::move(below.added));
  }

  bool native_;
};

}  // namespace

Comparison compare_objects(const json::Object& before, const json::Object& after,
                           const Schema* schema, bool native) {
  Comparison out;
  Comparer(native).compare_maps(&before, &after, schema, out);
  return out;
}

bool same_object(const json::Object& a, const json::Object& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const auto& member) {
           const json::Value* other = b.if_contains(member.key());
           return other != nullptr && json::same(member.value(), *other);
         });
}

}  // namespace slipway::api
