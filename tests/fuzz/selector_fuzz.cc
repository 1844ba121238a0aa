#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/selector.h"

// Label and field selectors as they come in a URL: no text may crash the server, and a label
// selector that is written out and read again selects the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const api::Labels labels = {{"app", "web"}, {"tier", "5"}};

  if (auto selector = api::parse_label_selector(text)) {
    auto again = api::parse_label_selector(to_string(*selector));
    SLIPWAY_ASSERT(again.has_value());
    SLIPWAY_ASSERT(to_string(*again) == to_string(*selector));
    SLIPWAY_ASSERT(again->matches(labels) == selector->matches(labels));
  } else {
    SLIPWAY_ASSERT(!selector.error().message.empty());
  }

  static const json::Object object =
      json::read(R"({"metadata":{"name":"web"},"spec":{"replicas":3}})")->as_object();
  if (auto selector = api::parse_field_selector(text)) matches(*selector, object);
  if (auto value = json::read(text)) {
    if (auto selector = api::read_label_selector(*value)) selector->matches(labels);
  }
  return 0;
}
