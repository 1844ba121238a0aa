#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace slipway::lang {

inline constexpr std::size_t kMaxJsonPathSteps = 64;
inline constexpr std::size_t kMaxJsonPathVisits = 1'000'000;  // values looked at for one find()

// kubectl's JSONPath, one path of it: `.a.b`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`, `[*]`, `.*`,
// `..name`, `..*`, slices `[1:3]`, `[::2]`, unions `[0,2]`, `['a','b']`, and filters
// `[?(@.type=="Ready")]` with == != < <= > >= or a bare path (exists).
class JsonPath {
 public:
  // With or without the surrounding braces of kubectl's notation. Errors: kInvalid.
  static Result<JsonPath> parse(std::string_view text);

  // Every value the path leads to; a missing field leads nowhere. What lies beyond the limit of
  // visits is not found.
  std::vector<const json::Value*> find(const json::Value& root) const;

 private:
  struct Step {
    enum class Kind { kField, kIndex, kSlice, kAll, kDeep, kFilter, kUnion };
    Kind kind = Kind::kField;
    std::string field;       // kField; kDeep: every field of this name below
    bool every = false;      // kDeep: every value below
    std::int64_t index = 0;  // negative: from the end
    std::optional<std::int64_t> from, to;
    std::int64_t stride = 1;
    std::vector<Step> choices;  // kUnion
    // kFilter: the values at `path` compared with `operand`.
    std::vector<Step> path;
    std::string comparison;  // empty: exists
    json::Value operand;
  };
  friend class JsonPathParser;
  friend class JsonPathWalk;

  std::vector<Step> steps_;
};

}  // namespace slipway::lang
