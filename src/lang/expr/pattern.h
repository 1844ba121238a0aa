#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace slipway::lang::expr {

// A regular expression of `matches`. Private to lang/expr.
class Pattern {
 public:
  // The error is what Go's regexp says.
  static std::expected<Pattern, std::string> compile(const std::string& text);

  std::size_t cost() const;                   // of a byte, beside others; at least 1
  bool matches(std::string_view text) const;  // anywhere in it

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> expression);

  std::shared_ptr<const re2::RE2> expression_;  // shared by the copies a program's constants make
};

}  // namespace slipway::lang::expr
