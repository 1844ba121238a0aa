#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "lang/expr/condition.h"

// Conditions as anybody may write them, the first line, on results as anything may answer them, the
// rest: no text may crash or run away, every problem has a message and lies within the source, and
// the same question has the same answer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  using namespace slipway::lang::expr;
  constexpr std::size_t kMaxInput = 4096;
  if (size > kMaxInput) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = text.find('\n');
  const std::string_view condition = text.substr(0, end);
  const auto json = json::read(end == std::string_view::npos ? "[1, 2.5]" : text.substr(end + 1),
                               {.allow_nan = true});
  const Value result = json ? Value::from_json(*json, size % 2 == 0) : Value();
  const auto first = evaluate_condition(condition, result, Time{});
  const auto second = evaluate_condition(condition, result, Time{});
  SLIPWAY_ASSERT(first.has_value() == second.has_value());
  if (first) {
    SLIPWAY_ASSERT(*first == *second);
  } else {
    SLIPWAY_ASSERT(!first.error().message.empty());
    SLIPWAY_ASSERT(first.error().text() == second.error().text());
    SLIPWAY_ASSERT(first.error().line <= 1);
  }
  static_cast<void>(evaluate_time(condition, Time{}));
  return 0;
}
