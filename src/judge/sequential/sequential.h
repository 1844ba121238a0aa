#pragma once

#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "judge/answer.h"
#include "judge/sequential/boundary.h"
#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// Judging the same question again and again, with the chance of a false alarm held over all looks.
//
// Pure: the same state and evidence give the same answer. Multiplying all values by a constant,
// swapping the sides together with the direction, or shifting time changes no verdict.
namespace slipway::judge {

struct Step {
  State state;    // for the next look
  Answer answer;  // of all evidence so far; `looks` holds the look just taken, alone
};

// Takes one look. A look without data on a side is inconclusive, spends nothing and counts as
// taken. A failure stays: later looks fail too.
//
// kInvalid: a plan that cannot be, evidence that does not fit the engine (sides of different length
// for signed-rank, negative counts), a state of another plan, more than kMaxLooks looks.
Result<Step> step(const Plan& plan, State state, const Evidence& evidence);

// The same for looks that follow each other in one process: what can be worked out from the state
// is worked out once. After an error it stands where it stood.
class Monitor {
 public:
  // kInvalid as for `step`.
  static Result<Monitor> start(const Plan& plan, State state = {});

  Result<Answer> look(const Evidence& evidence);
  const State& state() const { return state_; }
  const Plan& plan() const { return plan_; }  // with its looks filled in

 private:
  Monitor(const Plan& plan, State state);
  Result<> follow();

  Plan plan_;
  State state_;
  Boundaries boundaries_;
};

struct SequentialCase {
  Plan plan = {};
  std::vector<Evidence> looks = {};
};

// All looks of a case, one after the other. Without looks: inconclusive.
Result<Answer> judge_sequential(const SequentialCase& wanted);

// A batch case of the command line: `method`, `direction`, `looks` (or `control` and `experiment`,
// which make one look), `options`. kInvalid names the field and what would be right.
Result<SequentialCase> read_sequential_case(const json::Object& object);

}  // namespace slipway::judge
