#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text that grows up to a limit. Private to lang/template.
namespace slipway::lang::go {

class Output {
 public:
  explicit Output(std::size_t limit) : limit_(limit) {}

  // Both throw LimitReached when the text would grow over the limit.
  void append(std::string_view text);
  void fill(std::size_t count, char character);

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void grow(std::size_t count) const;

  std::string text_;
  std::size_t limit_;
};

}  // namespace slipway::lang::go
