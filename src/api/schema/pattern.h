#pragma once

#include <map>
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
  // Of its program, in instructions: what compiling it took, in time and memory.
  int size() const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

// The patterns of one definition: each text is compiled once, and all of them stay within one
// limit, for a request that brings hundreds of large ones would hold up everybody else.
class Patterns {
 public:
  static constexpr int kMaxInstructions = 400'000;  // of all together; usual ones take some dozen

  // Errors: as Pattern::compile; kInvalid also for what comes when there is no room left.
  Result<std::shared_ptr<const Pattern>> compile(const std::string& text);

 private:
  std::map<std::string, Result<std::shared_ptr<const Pattern>>> known_;
  int instructions_ = 0;
};

}  // namespace slipway::api
