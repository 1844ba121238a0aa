#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lang/args/args.h"

// Any text with tags: what comes out holds no tag that was put in place of one, and a text without
// tags is left alone. Data in any shape are read or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const lang::Tags tags = {{"args.a", "1"}, {"args.b", std::nullopt}, {"a", "{{a}}"}, {"", "-"}};
  auto out = lang::substitute(text, tags);
  if (!out) SLIPWAY_ASSERT(!out.error().message.empty());
  if (text.find("{{") == text.npos) SLIPWAY_ASSERT(out && *out == text);

  if (auto value = json::read(text)) {
    const bool whole = lang::substitute_all(*value, tags).has_value();
    // One text by itself and inside a value are treated alike.
    const json::Value wrapped = json::Array{*value};
    SLIPWAY_ASSERT(lang::substitute_all(wrapped, tags).has_value() == whole);
    if (value->is_object())
      if (auto read = lang::read_tags(value->as_object())) (void)lang::substitute(text, *read);
  }
  return 0;
}
