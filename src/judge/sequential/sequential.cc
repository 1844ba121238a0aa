#include "judge/sequential/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/points.h"
#include "judge/sequential/decide.h"
#include "judge/sequential/effects.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/evalue.h"
#include "judge/sequential/evidence.h"

namespace slipway::judge {
namespace {

Reading read_evidence(const Plan& plan, State& state, const Evidence& evidence) {
  switch (plan.engine) {
    case Engine::kSignedRank:
      return read_signed_rank(plan, state, evidence);
    case Engine::kStratifiedRank:
      return read_stratified_rank(plan, state, evidence);
    case Engine::kCounts:
      return read_counts(plan, state, evidence);
    case Engine::kDistribution:
      return read_distribution(plan, state, evidence);
  }
  return {};
}

std::string failure_reason(const Plan& plan, const State& state, const Look& look,
                           const Reading& reading) {
  const bool larger = look.z > 0;
  const auto side =
      fmt::format("the experiment is {} than the control", larger ? "larger" : "smaller");
  if (reading.p_bands && *reading.p_bands <= plan.alpha) {
    return fmt::format("the distributions differ (p {:.3g}) at look {}", look.p, look.look);
  }
  if (plan.monitoring == Monitoring::kAnytime || std::isnan(look.boundary) ||
      std::abs(look.z) < look.boundary) {
    return fmt::format("{}: p {:.3g} at look {}", side, look.p, look.look);
  }
  return fmt::format("{}: z {:.3g} reached its boundary {:.3g} at look {} of {}", side, look.z,
                     look.boundary, look.look, std::max(plan.planned_looks, state.look));
}

std::string inconclusive_reason(const Plan& plan, const State& state, const Reading& reading) {
  if (state.control_points == 0 || state.experiment_points == 0) {
    return no_data_reason(state.control_points, state.experiment_points);
  }
  if (plan.engine == Engine::kDistribution && reading.points == 0) {
    return fmt::format("{} against {} points are too few to tell two distributions apart",
                       state.control_points, state.experiment_points);
  }
  return fmt::format("{:g} {} too few: at least {:g} are needed", reading.points,
                     reading.points == 1 ? "point is" : "points are",
                     std::ceil(kMinEffectivePoints * plan.tau));
}

std::string reason(const Plan& plan, const State& state, const Look& look, const Reading& reading,
                   bool failed_before) {
  if (failed_before) return "an earlier look failed";
  if (state.failed) return failure_reason(plan, state, look, reading);
  if (!enough(plan, reading)) return inconclusive_reason(plan, state, reading);
  const auto looks = fmt::format("{} look{}", state.look, state.look == 1 ? "" : "s");
  if (std::isnan(look.p) || !plan.describe) return fmt::format("no difference found in {}", looks);
  return fmt::format("no difference found in {} (p {:.3g})", looks, look.p);
}

}  // namespace

Monitor::Monitor(const Plan& plan, State state) : plan_(plan), state_(std::move(state)) {}

// Looks were tested only where they brought enough variance; a state that says otherwise was not
// written by us, and its boundaries would take for ever to follow.
Result<> Monitor::follow() {
  if (plan_.monitoring != Monitoring::kGroupSequential) return {};
  int tested = 0;
  for (const Past& past : state_.past) {
    if (past.boundary == 0) continue;
    const double now = information(past);
    const bool grows = now - boundaries_.variance() > Boundaries::kLeastStep * now;
    if (!grows || ++tested > kMaxTested + 1) {
      return fail(ErrorCode::kInvalid, "tested looks whose variance does not grow", "past");
    }
    boundaries_.follow(now, past.boundary);
  }
  return {};
}

Result<Monitor> Monitor::start(const Plan& wanted, State state) {
  Plan plan = wanted;
  if (plan.planned_looks == 0) plan.planned_looks = kDefaultLooks;
  SLIPWAY_TRY(check(plan));
  const std::string belongs = fingerprint(plan);
  if (state.plan.empty()) state.plan = belongs;
  if (state.plan != belongs) {
    return fail(ErrorCode::kInvalid, fmt::format("the state is of another plan: \"{}\", not \"{}\"",
                                                 state.plan, belongs));
  }
  Monitor monitor(plan, std::move(state));
  SLIPWAY_TRY(monitor.follow());
  return monitor;
}

Result<Answer> Monitor::look(const Evidence& evidence) {
  if (state_.look >= kMaxLooks) {
    return fail(ErrorCode::kInvalid, fmt::format("more than {} looks", kMaxLooks));
  }
  auto clean = clean_evidence(plan_.engine, evidence);
  if (!clean) return std::unexpected(std::move(clean).error());
  const bool failed_before = state_.failed;
  const Reading reading = read_evidence(plan_, state_, *clean);
  ++state_.look;
  state_.past.push_back(reading.sums);
  const Look look = decide_look(plan_, state_, reading, boundaries_);
  Answer answer = {
      .method = std::string(to_string(plan_.engine)),
      .direction = plan_.direction,
      .verdict = state_.failed            ? Verdict::kFail
                 : enough(plan_, reading) ? Verdict::kPass
                                          : Verdict::kInconclusive,
      .p = look.p,
      .statistic = look.z,
      .control_points = state_.control_points,
      .experiment_points = state_.experiment_points,
      .reason = plan_.describe ? reason(plan_, state_, look, reading, failed_before) : "",
      .looks = {look}};
  return answer;
}

Result<Step> step(const Plan& plan, State state, const Evidence& evidence) {
  auto monitor = Monitor::start(plan, std::move(state));
  if (!monitor) return std::unexpected(std::move(monitor).error());
  auto answer = monitor->look(evidence);
  if (!answer) return std::unexpected(std::move(answer).error());
  if (plan.describe) answer->effect = sequential_effect(monitor->plan(), monitor->state());
  return Step{.state = monitor->state(), .answer = std::move(*answer)};
}

Result<Answer> judge_sequential(const SequentialCase& wanted) {
  Plan plan = wanted.plan;
  const std::size_t looks = std::min<std::size_t>(wanted.looks.size(), kMaxLooks);
  if (plan.planned_looks == 0)
    plan.planned_looks = static_cast<int>(std::max<std::size_t>(looks, 1));
  auto monitor = Monitor::start(plan);
  if (!monitor) return std::unexpected(std::move(monitor).error());
  Answer all = {.method = std::string(to_string(plan.engine)),
                .direction = plan.direction,
                .reason = "there are no looks"};
  std::vector<Look> taken;
  for (std::size_t i = 0; i < wanted.looks.size(); ++i) {
    const bool failed_before = monitor->state().failed;
    auto answer = monitor->look(wanted.looks[i]);
    if (!answer) {
      Error error = std::move(answer).error();
      error.where = fmt::format("looks[{}]{}{}", i, error.where.empty() ? "" : ".", error.where);
      return std::unexpected(std::move(error));
    }
    if (failed_before) answer->reason = all.reason;
    all = std::move(*answer);
    taken.push_back(all.looks.front());
  }
  all.looks = std::move(taken);
  if (plan.describe) all.effect = sequential_effect(plan, monitor->state());
  return all;
}

}  // namespace slipway::judge
