#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace slipway::server {

inline constexpr std::size_t kMaxJsonPathSteps = 64;

// The JSONPath of printer columns: `.a.b`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`, `[*]`, `.*`,
// `..name`,
// `[?(@.type=="Ready")]` with == != < <= > >= or a bare path (exists).
class JsonPath {
 public:
  // With or without the surrounding braces of kubectl's notation. Errors: kInvalid.
  static Result<JsonPath> parse(std::string_view text);

  // Every value the path leads to; a missing field leads nowhere.
  std::vector<const json::Value*> find(const json::Value& root) const;

 private:
  struct Step {
    enum class Kind { kField, kIndex, kAll, kDeep, kFilter };
    Kind kind = Kind::kField;
    std::string field;       // kField; kDeep: every field of this name below
    std::int64_t index = 0;  // negative: from the end
    // kFilter: the values at `path` compared with `operand`.
    std::vector<Step> path;
    std::string comparison;  // empty: exists
    json::Value operand;
  };
  friend class JsonPathParser;

  static void walk(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
                   std::vector<const json::Value*>& found);
  static void walk_deep(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
                        std::vector<const json::Value*>& found);
  static bool passes(const Step& filter, const json::Value& value);

  std::vector<Step> steps_;
};

}  // namespace slipway::server
