#include "evidence/rules.h"

#include <numeric>
#include <span>

#include "judge/choose.h"
#include "judge/kayenta/classify.h"
#include "judge/mann_whitney.h"
#include "judge/sequential/sequential.h"
#include "judge/sequential/tau.h"

namespace evidence {
namespace {

using namespace slipway::judge;
using namespace std::chrono_literals;

std::span<const double> part(const std::vector<double>& values, int from, int count) {
  return std::span(values).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count));
}

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool pipecd_fails(const Rule& rule, const Release& release, int look) {
  const int from = (look - 1) * kPointsALook;
  const Pooled pooled = rank_pooled(part(release.control.points, from, kPointsALook + 1),
                                    part(release.experiment.points, from, kPointsALook + 1));
  const MannWhitneyOptions options = {.direction = rule.plan.direction, .legacy_two_sided = true};
  return mann_whitney_p(pooled, options) <= options.alpha;
}

bool short_stage_fails(const Rule& rule, const Release& release, int look) {
  if (look > rule.plan.planned_looks) return false;
  const int from = (look - 1) * kPointsALook;
  const Pooled pooled = rank_pooled(part(release.control.points, from, kPointsALook + 1),
                                    part(release.experiment.points, from, kPointsALook + 1));
  const MannWhitneyOptions options = {.direction = rule.plan.direction,
                                      .alpha = rule.plan.alpha / rule.plan.planned_looks};
  return mann_whitney_p(pooled, options) <= options.alpha;
}

bool kayenta_fails(const Rule& rule, const Release& release, int look) {
  const int count = look * kPointsALook;
  auto answer = kayenta::judge_kayenta(part(release.control.points, 1, count),
                                       part(release.experiment.points, 1, count),
                                       {.direction = rule.plan.direction});
  return answer && answer->verdict == Verdict::kFail;
}

Evidence evidence_of(const Release& release, int look, bool counted) {
  const int from = 1 + (look - 1) * kPointsALook;
  auto side = [&](const Side& drawn) {
    slipway::judge::Side given;
    if (counted) {
      given.events = sum(part(drawn.events, from, kPointsALook));
      given.exposure = sum(part(drawn.exposure, from, kPointsALook));
    } else {
      const auto points = part(drawn.points, from, kPointsALook);
      given.points = {points.begin(), points.end()};
    }
    return given;
  };
  return {.control = side(release.control), .experiment = side(release.experiment)};
}

Plan plan_for(const Rule& rule, Noise noise, const Release& release) {
  Plan plan = rule.plan;
  plan.describe = false;
  if (rule.choose) {
    plan.engine = choose_engine(is_counted(noise) ? Material::kCounts : Material::kSeries, true);
  }
  if (noise == Noise::kOverlapping) {
    const auto range = longest_range("sum(rate(http_requests_total[5m]))");
    plan.tau = range_over_step(range.value_or(0s), 1min);
  }
  plan.tau = tau_with_history(plan.tau, release.history);
  if (plan.engine == Engine::kCounts) {
    std::vector<Counted> before;
    for (std::size_t i = 0; i < release.before.events.size(); ++i)
      before.push_back({release.before.events[i], release.before.exposure[i]});
    plan.tau = tau_with_counts(plan.tau, before, kPointsALook);
  }
  return plan;
}

std::optional<int> our_failure(const Rule& rule, Noise noise, const Release& release, int looks) {
  const Plan plan = plan_for(rule, noise, release);
  auto monitor = Monitor::start(plan);
  if (!monitor) return std::nullopt;
  if (plan.planned_looks > 0 && plan.monitoring == Monitoring::kGroupSequential) {
    looks = std::min(looks, plan.planned_looks);
  }
  for (int look = 1; look <= looks; ++look) {
    auto answer = monitor->look(evidence_of(release, look, plan.engine == Engine::kCounts));
    if (answer && answer->verdict == Verdict::kFail) return look;
  }
  return std::nullopt;
}

bool fails(const Rule& rule, const Release& release, int look) {
  switch (rule.family) {
    case Family::kPipeCd:
      return pipecd_fails(rule, release, look);
    case Family::kEachLook:
      return short_stage_fails(rule, release, look);
    default:
      return kayenta_fails(rule, release, look);
  }
}

}  // namespace

std::vector<Rule> rules(Direction direction) {
  const std::string way = direction == Direction::kEither ? "either" : "increase";
  std::vector<Rule> all = {
      {.name = "PipeCD, " + way, .family = Family::kPipeCd, .plan = {.direction = direction}},
      {.name = "Kayenta, " + way, .family = Family::kKayenta, .plan = {.direction = direction}}};
  for (int looks : {6, 30}) {
    const std::string planned = way + ", K=" + std::to_string(looks);
    const Plan plan = {.direction = direction, .planned_looks = looks};
    all.push_back({.name = "slipway, " + planned, .plan = plan});
    all.push_back({.name = "slipway stratified-rank, " + planned, .plan = plan, .choose = false});
  }
  all.push_back({.name = "slipway short stage, " + way + ", K=3",
                 .family = Family::kEachLook,
                 .plan = {.direction = direction, .planned_looks = 3}});
  if (direction == Direction::kEither) return all;
  const Plan anytime = {
      .direction = direction, .monitoring = Monitoring::kAnytime, .planned_looks = 30};
  all.push_back({.name = "slipway anytime, " + way, .plan = anytime});
  Plan late = anytime;
  late.late_onset = true;
  all.push_back({.name = "slipway anytime with late onset, " + way, .plan = late});
  late.monitoring = Monitoring::kGroupSequential;
  all.push_back({.name = "slipway with late onset, " + way + ", K=30", .plan = late});
  return all;
}

std::optional<int> first_failure(const Rule& rule, Noise noise, const Release& release, int looks) {
  if (rule.family == Family::kOurs) return our_failure(rule, noise, release, looks);
  for (int look = 1; look <= looks; ++look) {
    if (fails(rule, release, look)) return look;
  }
  return std::nullopt;
}

}  // namespace evidence
