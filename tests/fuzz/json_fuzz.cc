#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "base/json_scratch.h"
#include "base/json_skim.h"

namespace {

using namespace slipway;

// The other ways to read a document find the same in it.
void check_other_readers(std::string_view text, const json::Value& value) {
  json::Scratch scratch;
  const auto scratched = scratch.read(text);
  SLIPWAY_ASSERT(scratched && json::same(*scratched, value));

  static constexpr std::string_view kLeftOut[] = {"spec", "a"};
  const auto skimmed = json::skim(text, kLeftOut);
  SLIPWAY_ASSERT(skimmed.has_value() == value.is_object());
  if (!skimmed) return;
  json::Object rest = value.get_object();
  for (std::string_view key : kLeftOut) json::erase(rest, key);
  for (auto& member : rest)
    if (auto* inner = member.value().if_object())
      for (std::string_view key : kLeftOut) json::erase(*inner, key);
  SLIPWAY_ASSERT(json::same(json::Value(*skimmed), json::Value(rest)));
}

}  // namespace

// Whatever is accepted is written as text that is accepted again and means the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> duplicates;
  const auto value = slipway::json::read(text, {.duplicates = &duplicates});
  (void)slipway::json::read(text, {.allow_nan = true});
  if (!value) {
    SLIPWAY_ASSERT(value.error().message.starts_with("line ") ||
                   value.error().code == slipway::ErrorCode::kTooLarge);
    return 0;
  }
  check_other_readers(text, *value);
  const std::string compact = slipway::json::write(*value);
  const std::string pretty =
      slipway::json::write(*value, {.escape_html = true, .indent = 2, .sort_keys = true});
  const auto from_compact = slipway::json::read(compact, {.max_bytes = 16 * compact.size()});
  const auto from_pretty = slipway::json::read(pretty, {.max_bytes = 16 * pretty.size()});
  SLIPWAY_ASSERT(from_compact && slipway::json::same(*value, *from_compact));
  SLIPWAY_ASSERT(from_pretty && slipway::json::same(*value, *from_pretty));
  // Only -0 changes on the way, once.
  const std::string settled = slipway::json::write(*from_compact);
  SLIPWAY_ASSERT(slipway::json::write(
                     *slipway::json::read(settled, {.max_bytes = settled.size()})) == settled);
  return 0;
}
