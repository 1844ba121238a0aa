#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace re2 {
class RE2;
}

namespace slipway::api {

// A compiled regular expression of a schema: Go's language, matching anywhere in the text unless
// anchored.
class Pattern {
 public:
  // Errors: kInvalid with RE2's explanation.
  static Result<std::shared_ptr<const Pattern>> compile(const std::string& text);
  explicit Pattern(std::unique_ptr<re2::RE2> expression);
  ~Pattern();

  bool matches(std::string_view text) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace slipway::api
