#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/yaml.h"

// Whatever is accepted is written as YAML that is accepted again and means the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = slipway::yaml::read(text);
  if (!documents) {
    SLIPWAY_ASSERT(documents.error().message.starts_with("line ") ||
                   documents.error().code == slipway::ErrorCode::kTooLarge);
    return 0;
  }
  for (const auto& document : *documents) {
    SLIPWAY_ASSERT(document.line > 0);
    SLIPWAY_ASSERT(document.positions.find("spec.a[0]").line >= document.line ||
                   document.positions.find("spec.a[0]").line == 0);
    const std::string written = slipway::yaml::write(document.value);
    const auto again =
        slipway::yaml::read(written, {.max_bytes = 64 + 16 * written.size(), .max_depth = 1000});
    SLIPWAY_ASSERT(again && again->size() == 1);
    SLIPWAY_ASSERT(slipway::json::same(document.value, again->front().value));
  }
  return 0;
}
