#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lang/template/flagger.h"
#include "lang/template/pipecd.h"
#include "lang/template/template.h"

// Any text as a template, over data of every sort: an answer or an error within the limits, the
// same each time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  static const json::Value dot = json::read(R"({
      "a": "text <&> 'é'", "b": [1, 2.5, "x", null, true, {"k": [[]]}], "c": {"d": {"e": 1e300}, "f": ""},
      "n": null, "t": true, "i": 3, "Name": "web", "s": "\u0000\u2028"})")
                                     .value();
  static const json::Object flagger =
      json::read(R"({"name":"web","target":"t","variables":{"a":"1"}})")->as_object();
  static const lang::PipecdArguments pipecd{
      .app_name = "app", .variant = "canary", .variant_args = {{"a", "1"}}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Few steps: the fuzzer would find loops that only take long.
  const lang::TemplateLimits limits{.max_output = 64 * 1024, .max_steps = 5'000};
  for (const bool ints : {false, true}) {
    auto once = lang::render_go(text, dot, {.ints = ints, .limits = limits});
    auto again = lang::render_go(text, dot, {.ints = ints, .limits = limits});
    SLIPWAY_ASSERT(once.has_value() == again.has_value());
    if (once) {
      SLIPWAY_ASSERT(*once == *again && once->size() <= limits.max_output);
    } else {
      SLIPWAY_ASSERT(!once.error().message.empty());
      SLIPWAY_ASSERT(once.error().message == again.error().message);
      // Without steps left the dialects below would take as long as they are allowed to.
      if (once.error().code == ErrorCode::kTooLarge) return 0;
    }
  }
  (void)lang::render_flagger(text, flagger);
  (void)lang::render_pipecd(text, pipecd);
  return 0;
}
