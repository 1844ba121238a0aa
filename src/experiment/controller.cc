#include "experiment/controller.h"

#include <fmt/format.h>

#include "analysis/controller.h"
#include "analysis/phase.h"
#include "api/schema/codec.h"
#include "api/selector.h"
#include "control/pod_problem.h"
#include "experiment/decide.h"
#include "experiment/decide_analysis.h"
#include "experiment/perform.h"
#include "store/decode.h"

namespace slipway::experiment {

namespace {

using control::Outcome;

const api::Gvr kPods{"", "v1", "pods"};
const api::Gvr& kRuns = analysis::AnalysisRunReconciler::kKind;

// Replaces the status as a whole, if nobody has written since.
store::Patch status_patch(json::Value status, store::Version version) {
  json::Object seen{
      {"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", std::to_string(version)}};
  json::Object add{{"op", "add"}, {"path", "/status"}};
  add["value"] = std::move(status);
  return {.type = store::PatchType::kJson, .body = json::Array{std::move(seen), std::move(add)}};
}

json::Object rollout_of(const Identity& who) {
  return {{"apiVersion", who.rollout->api_version},
          {"kind", who.rollout->kind},
          {"metadata",
           json::Object{
               {"name", who.rollout->name}, {"namespace", who.ns}, {"uid", who.rollout->uid}}}};
}

template <class Seen>
Result<> claim(std::map<std::string, Seen>& map, std::string variant, Seen seen,
               std::string_view what) {
  if (variant.empty()) return {};
  if (!map.emplace(variant, std::move(seen)).second)
    return fail(ErrorCode::kInvalid,
                fmt::format("multiple {} match single experiment template: {}", what, variant));
  return {};
}

// Why the first of a ReplicaSet's Pods that has a reason is not ready.
std::string first_problem(const std::vector<store::Item>& pods, const std::string& set) {
  for (const store::Item& item : pods) {
    const auto pod = store::decode(item);
    const auto owner = pod ? api::controller_of(*pod) : std::nullopt;
    if (!owner || owner->uid != set) continue;
    const std::string why = control::why_not_ready(json::Value(*pod));
    if (!why.empty()) return fmt::format("Pod {}: {}", item.key.name, why);
  }
  return "";
}

}  // namespace

control::ControllerOptions ExperimentReconciler::options() {
  return {.name = "experiment",
          .kind = kKind,
          .owns = {Performer::kReplicaSets, Performer::kServices, kRuns}};
}

ExperimentReconciler::ExperimentReconciler(control::Manager& manager, control::Recorder& recorder)
    : manager_(manager), recorder_(recorder) {}

Task<Result<std::optional<store::Item>>> ExperimentReconciler::read(store::Key key) {
  using Found = std::optional<store::Item>;
  const auto known = known_.find(key);
  const store::Item* cached = manager_.cache(kKind).get(key);
  if (cached && (known == known_.end() || cached->version >= known->second.experiment))
    co_return Found(*cached);
  if (!cached && known == known_.end()) co_return Found();
  auto item = co_await manager_.store().get(kKind, key);
  if (item) co_return Found(std::move(*item));
  if (item.error().code == ErrorCode::kNotFound) co_return Found();
  co_return std::unexpected(std::move(item).error());
}

// What this controller wrote itself must be in the caches before it decides again.
Task<Result<>> ExperimentReconciler::catch_up(store::Key key) {
  const auto known = known_.find(key);
  if (known == known_.end()) co_return Result<>();
  const auto written = known->second.written;
  for (const auto& [kind, version] : written)
    if (!co_await manager_.cache(kind).reach(version, kPatience, stop_.get_token()))
      co_return fail(
          ErrorCode::kUnavailable,
          fmt::format("the cache of {} has not reached version {}", kind.resource, version));
  if (const auto still = known_.find(key); still != known_.end()) still->second.written.clear();
  co_return Result<>();
}

Task<Result<Outcome>> ExperimentReconciler::reconcile(store::Key key) {
  SLIPWAY_CO_TRY(co_await catch_up(key));
  auto item = co_await read(key);
  if (!item) co_return std::unexpected(std::move(item).error());
  if (!*item) {
    known_.erase(key);
    co_return Outcome{};
  }
  auto document = store::decode(**item);
  if (!document) co_return std::unexpected(std::move(document).error());
  if (api::is_deleting(*document)) {
    known_.erase(key);
    co_return Outcome{};
  }
  auto experiment = api::decode<Experiment>(json::Value(*document));
  if (!experiment) co_return std::unexpected(std::move(experiment).error());
  Look look{.key = key,
            .version = (*item)->version,
            .who = identity_of(*document),
            .experiment = std::move(*experiment)};
  look.document = std::move(*document);
  if (const std::string why = why_invalid(look.who, look.experiment); !why.empty()) {
    const auto status = invalid_status(look.experiment.status, why, manager_.loop().clock().now());
    SLIPWAY_CO_TRY(
        co_await keep(look, status, {{.warning = true, .reason = "InvalidSpec", .message = why}}));
    co_return Outcome{};
  }
  co_return co_await carry_on(std::move(look));
}

Task<Result<Outcome>> ExperimentReconciler::carry_on(Look look) {
  SLIPWAY_CO_TRY(co_await observe(look));
  auto plan = co_await act(look);
  if (!plan) co_return std::unexpected(std::move(plan).error());
  SLIPWAY_CO_TRY(co_await keep(look, plan->status, plan->happenings));
  if (!plan->actions.empty()) co_return Outcome{.again = Duration::zero()};
  if (!plan->again) co_return Outcome{};
  const Time now = manager_.loop().clock().now();
  co_return Outcome{.again = std::max(*plan->again - now, Duration::zero())};
}

// Until nothing is left to do. The versions written are noted even when a later write fails.
Task<Result<Plan>> ExperimentReconciler::act(Look& look) {
  const auto& clock = manager_.loop().clock();
  Performer performer(manager_.store(), recorder_, look.who, look.document, look.observed);
  Plan plan = decide_experiment(look.who, look.experiment, look.observed, clock.now());
  if (co_await explain(look, plan.status))
    plan = decide_experiment(look.who, look.experiment, look.observed, clock.now());
  Result<> done;
  for (int round = 0; done && round < kMaxRounds && !plan.actions.empty(); ++round) {
    for (Action& action : plan.actions) {
      done = co_await performer.perform(std::move(action));
      if (!done) break;
    }
    if (done) plan = decide_experiment(look.who, look.experiment, look.observed, clock.now());
  }
  if (!performer.written().empty()) {
    Known& known = known_[look.key];
    for (const auto& [kind, version] : performer.written())
      known.written[kind] = std::max(known.written[kind], version);
  }
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return plan;
}

// Pods of a template that is given up are asked why before they go. Who may not ask goes without.
Task<bool> ExperimentReconciler::explain(Look& look, const ExperimentStatus& status) {
  bool found = false;
  for (const TemplateStatus& now : status.template_statuses) {
    const TemplateStatus* before = status_of(look.experiment.status, now.name);
    const auto set = look.observed.replica_sets.find(now.name);
    if (now.status != analysis::kFailed || (before && before->status == now.status) ||
        set == look.observed.replica_sets.end())
      continue;
    auto selector = api::read_label_selector(json::Value(set->second.selector));
    if (!selector) continue;
    const auto pods =
        co_await manager_.store().list(kPods, {.ns = look.who.ns, .labels = std::move(*selector)});
    std::string problem = pods ? first_problem(pods->items, set->second.uid) : std::string();
    if (problem.empty()) continue;
    look.observed.pod_problems[now.name] = std::move(problem);
    found = true;
  }
  co_return found;
}

Task<Result<>> ExperimentReconciler::observe(Look& look) {
  SLIPWAY_CO_TRY(observe_owned(look));
  SLIPWAY_CO_TRY(co_await observe_runs(look));
  co_return co_await verify_templates(look);
}

Result<> ExperimentReconciler::observe_owned(Look& look) {
  for (const store::Item* item : manager_.cache(Performer::kReplicaSets).owned_by(look.who.uid)) {
    const auto document = store::decode(*item);
    if (!document) return std::unexpected(document.error());
    SLIPWAY_TRY(claim(look.observed.replica_sets, template_of(*document, look.who),
                      replica_set_seen(*document), "ReplicaSets"));
  }
  for (const store::Item* item : manager_.cache(Performer::kServices).owned_by(look.who.uid)) {
    const auto document = store::decode(*item);
    if (!document) return std::unexpected(document.error());
    SLIPWAY_TRY(claim(look.observed.services, template_of(*document, look.who),
                      service_seen(*document), "Services"));
  }
  return {};
}

// A run that the status names and the cache does not know may be too new for it.
Task<Result<>> ExperimentReconciler::observe_runs(Look& look) {
  for (const store::Item* item : manager_.cache(kRuns).owned_by(look.who.uid)) {
    const auto document = store::decode(*item);
    if (!document) co_return std::unexpected(document.error());
    look.observed.runs[item->key.name] = run_seen(*document);
  }
  for (const auto& recorded : look.experiment.status.analysis_runs) {
    if (recorded.analysis_run.empty() || look.observed.runs.contains(recorded.analysis_run))
      continue;
    const store::Key key{look.who.ns, recorded.analysis_run};
    std::optional<store::Item> item;
    if (const store::Item* cached = manager_.cache(kRuns).get(key)) {
      item = *cached;
    } else {
      auto found = co_await manager_.store().get(kRuns, key);
      if (!found && found.error().code == ErrorCode::kNotFound) continue;
      if (!found) co_return std::unexpected(std::move(found).error());
      item = std::move(*found);
    }
    const auto document = store::decode(*item);
    if (!document) co_return std::unexpected(document.error());
    look.observed.runs[recorded.analysis_run] = run_seen(*document);
  }
  co_return Result<>();
}

Task<Result<>> ExperimentReconciler::verify_templates(Look& look) {
  for (const auto& analysis : to_verify(look.experiment)) {
    auto found = co_await analysis::load_template(
        manager_.store(), look.who.ns,
        {.template_name = analysis.template_name, .cluster_scope = analysis.cluster_scope});
    if (found) continue;
    if (found.error().code != ErrorCode::kNotFound && found.error().code != ErrorCode::kInvalid)
      co_return std::unexpected(std::move(found).error());
    look.observed.analysis_failures[analysis.name] = verification_failed(analysis, found.error());
  }
  co_return Result<>();
}

Task<Result<>> ExperimentReconciler::keep(const Look& look, const ExperimentStatus& status,
                                          const std::vector<Happening>& happenings) {
  const json::Value after(api::encode(status));
  if (json::same(after, json::Value(api::encode(look.experiment.status)))) co_return Result<>();
  auto written =
      co_await manager_.store().patch(kKind, look.key, status_patch(after, look.version), {});
  if (!written) co_return std::unexpected(std::move(written).error());
  known_[look.key].experiment = written->version;
  for (const Happening& happening : happenings) say(look, happening);
  co_return Result<>();
}

void ExperimentReconciler::say(const Look& look, const Happening& happening) {
  const auto kind = happening.warning ? control::EventKind::kWarning : control::EventKind::kNormal;
  recorder_.record(look.document, kind, happening.reason, happening.message);
  if (happening.of_run && look.who.rollout)
    recorder_.record(rollout_of(look.who), kind, happening.reason, happening.message);
}

}  // namespace slipway::experiment
