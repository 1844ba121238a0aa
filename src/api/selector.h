#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace slipway::api {

// A label selector: every requirement must hold. From text ("app=web,tier in (a,b),!old") or from
// LabelSelector JSON.
struct Requirement {
  enum class Op { kEquals, kNotEquals, kIn, kNotIn, kExists, kNotExists, kGreater, kLess };
  std::string key;
  Op op = Op::kExists;
  std::vector<std::string> values = {};  // sorted
};
using Labels = std::vector<std::pair<std::string, std::string>>;  // sorted by key

struct LabelSelector {
  std::vector<Requirement> requirements = {};
  bool nothing = false;  // a null LabelSelector selects nothing
  bool matches(const Labels& labels) const;
  bool empty() const { return requirements.empty() && !nothing; }
};
// Errors: kBadRequest, worded as the API server's: `unable to parse requirement: …`.
Result<LabelSelector> parse_label_selector(std::string_view text);
// From matchLabels and matchExpressions; null selects nothing, {} everything.
Result<LabelSelector> read_label_selector(const json::Value& selector);
std::string to_string(const LabelSelector& selector);

Labels labels_of(const json::Object& object);

// A field selector: "metadata.name=web,status.phase!=Running".
struct FieldRequirement {
  std::string path;
  bool equal = true;
  std::string value;
};
struct FieldSelector {
  std::vector<FieldRequirement> requirements;
  bool empty() const { return requirements.empty(); }
};
Result<FieldSelector> parse_field_selector(std::string_view text);
// By dotted path into the document; scalars compare as text, missing fields as the empty string.
bool matches(const FieldSelector& selector, const json::Object& object);
// What a selectable field counts as where an object does not have it: "false", "0", else "".
std::string_view value_when_missing(std::string_view path);

}  // namespace slipway::api
