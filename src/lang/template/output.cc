#include "lang/template/output.h"

#include <fmt/format.h>

#include "lang/template/failure.h"

namespace slipway::lang::go {

void Output::append(std::string_view text) {
  grow(text.size());
  text_.append(text);
}

void Output::fill(std::size_t count, char character) {
  grow(count);
  text_.append(count, character);
}

void Output::grow(std::size_t count) const {
  if (count > limit_ - text_.size())
    throw LimitReached{fmt::format("the text grows over {} bytes", limit_)};
}

}  // namespace slipway::lang::go
