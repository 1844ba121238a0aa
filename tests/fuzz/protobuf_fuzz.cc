#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/wire/protobuf.h"

// Any bytes are read or refused; what is read can be written and read as JSON. The first byte picks
// the kind that an envelope without one is read as.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  static const auto registry = api::Registry::make();
  if (size == 0) return 0;
  auto resources = registry->all();
  const auto& expected = resources[data[0] % resources.size()]->gvk;
  std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto object = api::read_protobuf(body, *registry, expected);
  if (!object) {
    SLIPWAY_ASSERT(!object.error().message.empty());
    return 0;
  }
  auto text = json::write(json::Value(*object));
  auto again = json::read(text, {.max_bytes = text.size(), .max_depth = json::kMaxDepth + 2});
  SLIPWAY_ASSERT(again && json::same(*again, json::Value(*object)));
  return 0;
}
