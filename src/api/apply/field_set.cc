#include "api/apply/field_set.h"

#include <algorithm>

namespace slipway::api {

namespace {

auto position(const std::vector<FieldSet::Node>& nodes, const PathElement& element) {
  return std::ranges::lower_bound(nodes, element, {}, &FieldSet::Node::element);
}

// Kubernetes lists the members of a node before what is below any of them.
void collect(const FieldSet& set, ElementPath& path, std::vector<ElementPath>& out) {
  for (const FieldSet::Node& node : set.children) {
    if (!node.set.member) continue;
    path.push_back(node.element);
    out.push_back(path);
    path.pop_back();
  }
  for (const FieldSet::Node& node : set.children) {
    path.push_back(node.element);
    collect(node.set, path, out);
    path.pop_back();
  }
}

// Walks two sorted lists of children side by side; either side is null where the element is
// missing.
template <class Visit>
void zip(const FieldSet& a, const FieldSet& b, Visit visit) {
  auto left = a.children.begin();
  auto right = b.children.begin();
  while (left != a.children.end() || right != b.children.end()) {
    if (right == b.children.end()) {
      visit(&*left++, nullptr);
    } else if (left == a.children.end()) {
      visit(nullptr, &*right++);
    } else if (left->element == right->element) {
      visit(&*left++, &*right++);
    } else if (left->element < right->element) {
      visit(&*left++, nullptr);
    } else {
      visit(nullptr, &*right++);
    }
  }
}

}  // namespace

void FieldSet::grow(PathElement element, FieldSet set) {
  if (!set.empty()) children.push_back({std::move(element), std::move(set)});
}

void FieldSet::settle() {
  auto by_element = [](const Node& a, const Node& b) { return a.element < b.element; };
  if (!std::ranges::is_sorted(children, by_element)) std::ranges::sort(children, by_element);
}

void FieldSet::insert(const ElementPath& path) {
  FieldSet* set = this;
  for (const PathElement& element : path) {
    auto at = set->children.begin() + (position(set->children, element) - set->children.cbegin());
    if (at == set->children.end() || at->element != element)
      at = set->children.insert(at, Node{element, {}});
    set = &at->set;
  }
  set->member = set != this;  // nobody owns the whole object
}

bool FieldSet::contains(const ElementPath& path) const {
  const FieldSet* set = this;
  for (const PathElement& element : path) {
    set = set->below(element);
    if (set == nullptr) return false;
  }
  return set->member;
}

const FieldSet* FieldSet::below(const PathElement& element) const {
  auto at = position(children, element);
  return at != children.end() && at->element == element ? &at->set : nullptr;
}

FieldSet FieldSet::united(const FieldSet& other) const {
  if (empty()) return other;
  if (other.empty()) return *this;
  FieldSet out;
  out.member = member || other.member;
  out.children.reserve(std::max(children.size(), other.children.size()));
  zip(*this, other, [&](const Node* a, const Node* b) {
    if (a != nullptr && b != nullptr)
      out.children.push_back({a->element, a->set.united(b->set)});
    else
      out.children.push_back(a != nullptr ? *a : *b);
  });
  return out;
}

FieldSet FieldSet::minus(const FieldSet& other) const {
  FieldSet out = *this;
  out.remove(other);
  return out;
}

FieldSet FieldSet::intersected(const FieldSet& other) const {
  FieldSet out;
  out.member = member && other.member;
  zip(*this, other, [&](const Node* a, const Node* b) {
    if (a != nullptr && b != nullptr) out.grow(a->element, a->set.intersected(b->set));
  });
  return out;
}

void FieldSet::remove(const FieldSet& other) {
  if (other.member) member = false;
  for (const Node& node : other.children) {
    auto at = children.begin() + (position(children, node.element) - children.cbegin());
    if (at == children.end() || at->element != node.element) continue;
    at->set.remove(node.set);
    if (at->set.empty()) children.erase(at);
  }
}

void FieldSet::remove_trees(const FieldSet& other) {
  if (other.member) member = false;
  for (const Node& node : other.children) {
    auto at = children.begin() + (position(children, node.element) - children.cbegin());
    if (at == children.end() || at->element != node.element) continue;
    if (!node.set.member) at->set.remove_trees(node.set);
    if (node.set.member || at->set.empty()) children.erase(at);
  }
}

std::vector<ElementPath> FieldSet::paths() const {
  std::vector<ElementPath> out;
  ElementPath path;
  collect(*this, path, out);
  return out;
}

bool FieldSet::operator==(const FieldSet& other) const {
  return member == other.member && children == other.children;
}

std::string describe(const ElementPath& path) {
  std::string out;
  for (const PathElement& element : path) out += describe(element);
  return out;
}

}  // namespace slipway::api
