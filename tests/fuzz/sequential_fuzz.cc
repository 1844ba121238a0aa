#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "judge/sequential/sequential.h"
#include "judge/sequential/tau.h"

namespace {

using namespace slipway;

// A look taken through a written state is the look taken in memory.
void check_states(const judge::SequentialCase& wanted) {
  judge::Plan plan = wanted.plan;
  plan.describe = false;
  judge::State state;
  for (const judge::Evidence& evidence : wanted.looks) {
    auto here = judge::step(plan, state, evidence);
    auto kept = judge::read_state(*json::read(json::write(judge::to_json(state))));
    SLIPWAY_ASSERT(kept.has_value());
    auto there = judge::step(plan, *kept, evidence);
    SLIPWAY_ASSERT(here.has_value() == there.has_value());
    if (!here) return;
    SLIPWAY_ASSERT(here->answer.verdict == there->answer.verdict);
    const judge::Look& look = here->answer.looks.front();
    SLIPWAY_ASSERT(look.v >= 0 && look.alpha_spent <= 1 && look.p >= 0 && look.p <= 1);
    SLIPWAY_ASSERT(!state.failed || here->state.failed);
    state = std::move(here->state);
  }
}

}  // namespace

// Cases and states as they come from files and statuses: none may crash or hang, and a state that
// was written reads back and goes on alike. Any text is a query whose range is looked for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxInput = 4096;
  if (size > kMaxInput) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto range = judge::longest_range(text)) SLIPWAY_ASSERT(range->count() >= 0);

  auto value = json::read(text, {.allow_nan = true});
  if (!value || !value->is_object()) return 0;
  if (auto state = judge::read_state(*value)) {
    for (judge::Engine engine : {judge::Engine::kSignedRank, judge::Engine::kCounts}) {
      const judge::Plan plan = {.engine = engine, .planned_looks = 8};
      state->plan = judge::fingerprint(plan);
      (void)judge::step(plan, *state,
                        {.control = {.points = {1, 2, 3, 4, 5}, .events = 3, .exposure = 10},
                         .experiment = {.points = {2, 3, 4, 5, 9}, .events = 9, .exposure = 10}});
    }
  }
  if (auto wanted = judge::read_sequential_case(value->as_object())) {
    if (auto answer = judge::judge_sequential(*wanted)) check_states(*wanted);
  }
  return 0;
}
