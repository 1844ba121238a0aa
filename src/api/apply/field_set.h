#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/apply/path_element.h"
#include "api/schema/schema.h"

namespace slipway::api {

using ElementPath = std::vector<PathElement>;

// A set of field paths, as fieldsV1 holds them: a trie. "." in the text form means that the path
// itself is a member.
//
// Children are sorted and unique, and no node is without a member in or below it (`settle` sees to
// that after `grow`).
class FieldSet {
 public:
  struct Node;

  // Nested no deeper than documents are (json::kMaxDepth). Errors: kInvalid for anything that is no
  // fieldsV1.
  static Result<FieldSet> read(const json::Value& fields_v1);
  json::Value write() const;

  bool empty() const;
  void insert(const ElementPath& path);
  bool contains(const ElementPath& path) const;
  // What is below `element`, or null.
  const FieldSet* below(const PathElement& element) const;

  FieldSet united(const FieldSet& other) const;
  FieldSet minus(const FieldSet& other) const;
  FieldSet intersected(const FieldSet& other) const;
  // Takes out the members of `other`; with their trees: and everything below them.
  void remove(const FieldSet& other);
  void remove_trees(const FieldSet& other);
  // Every member path, in order; for messages and tests.
  std::vector<ElementPath> paths() const;

  bool operator==(const FieldSet& other) const;

  // Building in any order: append with grow (nothing that is empty, no element twice), then settle
  // the node.
  void grow(PathElement element, FieldSet set);
  void settle();

  bool member = false;
  std::vector<Node> children;
};

struct FieldSet::Node {
  PathElement element;
  FieldSet set;
  bool operator==(const Node& other) const = default;
};

inline bool FieldSet::empty() const { return !member && children.empty(); }

// `.spec.containers[name="web"].image`, as conflicts name fields.
std::string describe(const ElementPath& path);

// The set of all leaf fields of an object under its schema (and the members of its list-maps and
// sets). A null schema stands for a type nobody described: maps are open, lists are leaves.
FieldSet field_set_of(const json::Object& object, const Schema* schema);

}  // namespace slipway::api
