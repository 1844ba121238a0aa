#include "rollout/controller.h"

#include <fmt/format.h>

#include "api/object.h"
#include "rollout/decide.h"
#include "rollout/status/conditions.h"

namespace slipway::rollout {

namespace {

using control::Outcome;

constexpr Duration kShortestWait = std::chrono::milliseconds(100);

// What asking again cannot mend is said in the status.
bool is_lasting(const Error& error) {
  return error.code == ErrorCode::kInvalid || error.code == ErrorCode::kNotFound;
}

// Followed for whoever refers to them.
const api::Gvr* const kReferred[] = {&kServices,     &kDeployments, &kReplicaSets,
                                     &kPodTemplates, &kTemplates,   &kClusterTemplates};

bool is_routing(const Action& action) { return std::holds_alternative<RouteTraffic>(action); }

}  // namespace

RolloutReconciler::RolloutReconciler(control::Manager& manager, control::Recorder& recorder,
                                     Routers routers)
    : manager_(manager), recorder_(recorder), around_{.routers = routers} {}

control::ControllerOptions RolloutReconciler::options() {
  return {.name = "rollout",
          .kind = kRollouts,
          .owns = {kReplicaSets, kAnalysisRuns, kExperiments},
          .workers = kWorkers,
          .needs = {kServices, kDeployments, kPodTemplates, kTemplates, kClusterTemplates},
          .subscribe = [this](control::BringUp bring_up) {
            follow_claims(manager_, around_.claims, bring_up);
            for (const api::Gvr* kind : kReferred)
              manager_.cache(*kind).on_change(
                  [this, kind, bring_up](const store::Item* before, const store::Item* after) {
                    for (const auto& key :
                         around_.references.of({*kind, (after ? after : before)->key}))
                      bring_up(key);
                  });
          }};
}

void RolloutReconciler::tell(const Situation& seen, const Happening& happening) {
  recorder_.record(
      seen.document.get_object(),
      happening.is_warning ? control::EventKind::kWarning : control::EventKind::kNormal,
      happening.reason, happening.message);
}

std::string RolloutReconciler::unrouted(const Situation& seen, const Error& error) {
  const Time now = manager_.loop().clock().now();
  const Time since = unrouted_.try_emplace({seen.ns(), seen.name()}, now).first->second;
  if (is_lasting(error) && now - since >= kRoutePatience)
    return fmt::format("The Rollout \"{}\" is invalid: spec.strategy.canary.trafficRouting: {}",
                       seen.name(), error.text());
  if (error.code != ErrorCode::kConflict)  // the next look sees what somebody else wrote
    tell(seen, {.reason = "TrafficRoutingError", .message = error.text(), .is_warning = true});
  return {};
}

slipway::Task<Result<Outcome>> RolloutReconciler::reconcile(store::Key key) {
  Written& written = written_[key];
  auto outcome = co_await look(key, written);
  if (written.empty()) written_.erase(key);
  co_return outcome;
}

slipway::Task<Result<Outcome>> RolloutReconciler::look(store::Key key, Written& written) {
  Made made;
  for (int round = 0; round < kMaxRounds; ++round) {
    auto seen = co_await gather(manager_, key, written, made, around_, stop_.get_token());
    if (!seen) co_return std::unexpected(std::move(seen).error());
    if (!*seen) {
      around_.references.drop(key);
      unrouted_.erase(key);
      SLIPWAY_CO_TRY(co_await release_services(key));
      co_return Outcome{};
    }
    Plan plan = decide(**seen);
    auto obstacle = co_await work_off(**seen, std::move(plan.chores), written);
    if (!obstacle) co_return std::unexpected(std::move(obstacle).error());
    if (!obstacle->empty()) {
      made = {.runs = (*seen)->made_runs,
              .experiment = (*seen)->made_experiment,
              .problem = std::move(*obstacle)};
      continue;
    }
    if (!plan.create) co_return co_await conclude(std::move(**seen), std::move(plan), written);
    auto created = co_await create(**seen, std::move(*plan.create), written);
    if (!created && !is_lasting(created.error()))
      co_return std::unexpected(std::move(created).error());
    made = {.runs = (*seen)->made_runs, .experiment = (*seen)->made_experiment};
    if (!created) made.problem = created.error().text();
  }
  co_return fail(ErrorCode::kUnavailable, "there is ever more to be created");
}

// Says what of the spec stands in the way of the rest; empty: all is done.
slipway::Task<Result<std::string>> RolloutReconciler::work_off(const Situation& seen,
                                                               std::vector<Chore> chores,
                                                               Written& written) {
  for (Chore& chore : chores) {
    const bool routes = is_routing(chore.action);
    auto done = co_await carry_out(manager_.store(), seen, std::move(chore.action), written);
    if (!done && routes)
      if (std::string problem = unrouted(seen, done.error()); !problem.empty()) co_return problem;
    if (!done) co_return std::unexpected(std::move(done).error());
    if (routes) unrouted_.erase({seen.ns(), seen.name()});
    if (chore.says) tell(seen, *chore.says);
  }
  co_return std::string();
}

slipway::Task<Result<Outcome>> RolloutReconciler::conclude(Situation seen, Plan plan,
                                                           Written& written) {
  if (!is_same_status(seen, plan.status)) {
    SLIPWAY_CO_TRY(co_await write_status(manager_.store(), seen, plan.status, written));
    update_times_.see(seen.rollout.status.duration, plan.status.duration);
    for (const Happening& happening : plan.happenings) tell(seen, happening);
  }
  if (!plan.again) co_return Outcome{};
  const Duration wait = *plan.again - manager_.loop().clock().now();
  co_return Outcome{.again = std::max(wait, kShortestWait)};
}

// Of a Rollout that has gone.
slipway::Task<Result<>> RolloutReconciler::release_services(store::Key key) {
  Written written;  // no look waits for it
  for (const std::string& name : around_.claims.abandoned(key)) {
    const store::Item* service = manager_.cache(kServices).get({key.ns, name});
    if (!service) continue;
    SLIPWAY_CO_TRY(
        co_await release_service(manager_.store(), {key.ns, name}, service->version, written));
  }
  co_return Result<>();
}

// Made things are noted in the situation, for the next round.
slipway::Task<Result<>> RolloutReconciler::create(Situation& seen, Creation creation,
                                                  Written& written) {
  if (auto* set = std::get_if<CreateSet>(&creation)) {
    const std::string name(api::name_of(set->object));
    const std::string revision(api::annotation_of(set->object, "rollout.argoproj.io/revision"));
    auto is_ours = co_await create_set(manager_.store(), seen, std::move(set->object), written);
    if (!is_ours) {
      tell(seen, {.reason = "ReplicaSetCreateError",
                  .message = fmt::format("Failed to create new replica set \"{}\": {}", name,
                                         is_ours.error().text()),
                  .is_warning = true});
      co_return std::unexpected(std::move(is_ours).error());
    }
    if (*is_ours) {
      tell(seen, {.reason = "NewReplicaSetCreated",
                  .message = fmt::format("Created ReplicaSet {} (revision {})", name, revision)});
      co_return Result<>();
    }
    argo::RolloutStatus status = seen.rollout.status;
    status.collision_count = status.collision_count.value_or(0) + 1;
    co_return co_await write_status(manager_.store(), seen, std::move(status), written);
  }
  if (auto* run = std::get_if<CreateRun>(&creation)) {
    const RunRole role = run->role;
    auto name =
        co_await create_run(manager_.store(), seen, std::move(*run), seen.rollout.status.stable_rs);
    if (!name) co_return std::unexpected(std::move(name).error());
    seen.made_runs[role] = std::move(*name);
    co_return Result<>();
  }
  auto name = co_await create_experiment(
      manager_.store(), seen, std::move(std::get<CreateExperiment>(creation).object), written);
  if (!name) co_return std::unexpected(std::move(name).error());
  tell(seen,
       {.reason = "ExperimentCreated", .message = fmt::format("Created Experiment '{}'", *name)});
  seen.made_experiment = std::move(*name);
  co_return Result<>();
}

}  // namespace slipway::rollout
