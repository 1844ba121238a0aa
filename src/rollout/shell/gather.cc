#include "rollout/shell/gather.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/schema/codec.h"
#include "api/template_hash.h"
#include "base/log.h"
#include "control/pod_problem.h"
#include "rollout/objects/fields.h"
#include "rollout/objects/likeness.h"
#include "rollout/objects/pods.h"
#include "rollout/routers/router.h"
#include "rollout/shell/problems.h"
#include "rollout/status/progress.h"
#include "rollout/strategy/services.h"
#include "store/decode.h"

namespace slipway::rollout {

namespace {

using store::Item;

// What a cache has seen need not be remembered.
slipway::Task<Result<>> await_caches(control::Manager& manager, Written& written,
                                     std::stop_token stop) {
  while (!written.empty()) {
    const auto [kind, version] = *written.begin();
    if (!co_await manager.cache(kind).reach(version, kCachePatience, stop))
      co_return fail(ErrorCode::kUnavailable, "the cache of " + kind.resource + " is behind");
    written.erase(kind);
  }
  co_return Result<>();
}

// The documents that `uid` controls; those that cannot be read are passed over with a word.
std::vector<json::Value> controlled(control::Manager& manager, const api::Gvr& kind,
                                    std::string_view uid) {
  std::vector<json::Value> found;
  for (const Item* item : manager.cache(kind).owned_by(uid)) {
    auto document = store::decode(*item);
    if (!document) {
      log::warning("rollout", "{}/{}: {}", item->key.ns, item->key.name, document.error().text());
      continue;
    }
    const auto owner = api::controller_of(*document);
    if (owner && owner->uid == uid) found.emplace_back(std::move(*document));
  }
  return found;
}

std::optional<json::Value> cached_document(control::Manager& manager, const api::Gvr& kind,
                                           const store::Key& key) {
  const Item* item = manager.cache(kind).get(key);
  if (!item) return std::nullopt;
  auto document = store::decode(*item);
  return document ? std::optional<json::Value>(std::move(*document)) : std::nullopt;
}

std::optional<api::Gvr> workload_kind(const argo::ObjectRef& reference) {
  if (reference.kind == "Deployment") return kDeployments;
  if (reference.kind == "ReplicaSet") return kReplicaSets;
  if (reference.kind == "PodTemplate") return kPodTemplates;
  return std::nullopt;
}

// Takes the Pod template, and where it has none the selector, from the workload it names.
slipway::Task<Result<>> resolve_workload(control::Manager& manager, Situation& seen,
                                         std::set<References::Object>& objects) {
  auto& spec = seen.rollout.spec;
  if (!spec.workload_ref) co_return Result<>();
  const auto kind = workload_kind(*spec.workload_ref);
  if (!kind) {
    seen.problem = invalid(seen, "spec.workloadRef.kind", spec.workload_ref->kind,
                           "must be Deployment, ReplicaSet or PodTemplate");
    co_return Result<>();
  }
  const store::Key key{seen.ns(), spec.workload_ref->name};
  objects.emplace(*kind, key);
  auto item = co_await manager.store().get(*kind, key);
  if (!item && item.error().code == ErrorCode::kNotFound) {
    seen.problem = invalid(seen, "spec.workloadRef", spec.workload_ref->name,
                           kind->resource + " \"" + key.name + "\" not found");
    co_return Result<>();
  }
  if (!item) co_return std::unexpected(std::move(item).error());
  auto read = store::decode(*item);
  if (!read) co_return std::unexpected(std::move(read).error());
  const json::Value document = std::move(*read);
  const bool is_plain = *kind == kPodTemplates;
  if (const auto* found =
          is_plain ? json::at(document, {"template"}) : json::at(document, {"spec", "template"}))
    spec.template_.value = *found;
  if (const auto* found = json::at(document, {"spec", "selector"}); found && !spec.selector)
    spec.selector.emplace().value = *found;
  seen.workload_generation = std::to_string(api::generation_of(document.get_object()));
  co_return Result<>();
}

void read_services(control::Manager& manager, const Claims& claims, Situation& seen,
                   std::set<References::Object>& objects) {
  for (const std::string& name : referred_services(seen.rollout.spec)) {
    const store::Key key{seen.ns(), name};
    objects.emplace(kServices, key);
    const auto document = cached_document(manager, kServices, key);
    if (!document) continue;
    Service& service = seen.services[name] = read_service(*document);
    // Of one that has gone, or refers to another Service now: as good as nobody's.
    if (claims.holder(key) != service.managed_by) service.managed_by.clear();
  }
  for (const std::string& name : claims.abandoned({seen.ns(), seen.name()}))
    if (const Item* item = manager.cache(kServices).get({seen.ns(), name}))
      seen.abandoned[name] = item->version;
}

// Of a Rollout that divides the Pods of one Service: that one, and those which are made for it.
void read_divided_service(control::Manager& manager, Situation& seen,
                          std::set<References::Object>& objects) {
  for (const RouterTarget& target : router_targets(seen.rollout, seen.ns(), seen.routers)) {
    if (!target.finds_model) continue;
    if (target.kind == kServices) objects.emplace(kServices, store::Key{target.ns, target.name});
    if (seen.divided_service) continue;
    std::vector<json::Value> services;
    for (const Item* item : manager.cache(kServices).list(seen.ns()))
      if (auto document = store::decode(*item)) services.emplace_back(std::move(*document));
    seen.divided_service = find_divided(seen.rollout, services);
    if (const auto& found = *seen.divided_service)
      objects.emplace(
          kServices,
          store::Key{seen.ns(), std::string(json::string_at(*found, {"metadata", "name"}))});
  }
}

slipway::Task<Result<>> add_missing_runs(control::Manager& manager, Situation& seen) {
  const argo::RolloutStatus& status = seen.rollout.status;
  std::vector<std::string> names;
  for (const auto& [role, name] : seen.made_runs) names.push_back(name);
  for (const auto* known : {&status.canary.current_background_analysis_run_status,
                            &status.canary.current_step_analysis_run_status,
                            &status.blue_green.pre_promotion_analysis_run_status,
                            &status.blue_green.post_promotion_analysis_run_status})
    if (*known) names.push_back((*known)->name);
  for (const std::string& name : names) {
    if (find_run(seen, name)) continue;
    auto item = co_await manager.store().get(kAnalysisRuns, {seen.ns(), name});
    if (!item && item.error().code == ErrorCode::kNotFound) continue;
    if (!item) co_return std::unexpected(std::move(item).error());
    auto document = store::decode(*item);
    if (document) seen.runs.push_back(read_child(std::move(*document)));
  }
  co_return Result<>();
}

slipway::Task<Result<>> add_missing_experiment(control::Manager& manager, Situation& seen) {
  const std::string name = seen.made_experiment.empty()
                               ? seen.rollout.status.canary.current_experiment
                               : seen.made_experiment;
  if (name.empty() || find_experiment(seen, name)) co_return Result<>();
  auto item = co_await manager.store().get(kExperiments, {seen.ns(), name});
  if (!item && item.error().code == ErrorCode::kNotFound) co_return Result<>();
  if (!item) co_return std::unexpected(std::move(item).error());
  if (auto document = store::decode(*item))
    seen.experiments.push_back(read_experiment(std::move(*document)));
  co_return Result<>();
}

slipway::Task<Result<>> read_pods(control::Manager& manager, Situation& seen) {
  const bool needs = needs_pods(seen.rollout), explains = is_time_up(seen.rollout, seen.now);
  if ((!needs && !explains) || !seen.rollout.spec.selector) co_return Result<>();
  auto selector = api::read_label_selector(seen.rollout.spec.selector->value);
  if (!selector) co_return Result<>();  // the spec is refused
  auto page =
      co_await manager.store().list(kPods, {.ns = seen.ns(), .labels = std::move(*selector)});
  if (!page) co_return std::unexpected(std::move(page).error());
  for (const Item& item : page->items) {
    auto document = store::decode(item);
    if (!document) continue;
    const json::Value value = std::move(*document);
    Pod pod = read_pod(value, seen.rollout.spec.min_ready_seconds, seen.now);
    const auto set = std::ranges::find(seen.sets, pod.set_uid, &ReplicaSet::uid);
    if (set == seen.sets.end()) continue;
    if (explains && set->hash == seen.hash && seen.pod_problem.empty())
      if (const std::string why = control::why_not_ready(value); !why.empty())
        seen.pod_problem = fmt::format("Pod {}: {}", pod.name, why);
    if (needs) seen.pods.push_back(std::move(pod));
  }
  if (needs) count_available(seen.sets, seen.pods);
  co_return Result<>();
}

void compute_hashes(Situation& seen) {
  const auto& spec = seen.rollout.spec;
  if (const json::Object* pod_template = spec.template_.value.if_object())
    seen.hash = api::template_hash(*pod_template, seen.rollout.status.collision_count);
  const bool is_known =
      std::ranges::any_of(seen.sets, [&](const ReplicaSet& set) { return set.hash == seen.hash; });
  if (!is_known)
    if (const ReplicaSet* alike = find_alike(seen.sets, seen.rollout)) seen.hash = alike->hash;
  const json::Value* steps = json::at(seen.document, {"spec", "strategy", "canary", "steps"});
  seen.steps_hash = api::steps_hash(steps ? *steps : json::Value());
}

}  // namespace

slipway::Task<Result<std::optional<Situation>>> gather(control::Manager& manager, store::Key key,
                                                       Written& written, Made made,
                                                       Surroundings& around, std::stop_token stop) {
  using Found = std::optional<Situation>;
  SLIPWAY_CO_TRY(co_await await_caches(manager, written, stop));
  const Item* item = manager.cache(kRollouts).get(key);
  if (!item) co_return Found();
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  if (api::is_deleting(*document)) co_return Found();

  Situation seen{.document = std::move(*document),
                 .now = std::chrono::floor<std::chrono::seconds>(manager.loop().clock().now()),
                 .made_runs = std::move(made.runs),
                 .made_experiment = std::move(made.experiment),
                 .problem = std::move(made.problem),
                 .routers = around.routers};
  auto rollout = api::decode<argo::Rollout>(seen.document);
  if (!rollout) co_return std::unexpected(std::move(rollout).error());
  seen.rollout = std::move(*rollout);
  heed_people(seen.rollout);
  std::set<References::Object> objects;
  SLIPWAY_CO_TRY(co_await resolve_workload(manager, seen, objects));
  const std::string uid(api::uid_of(seen.document.get_object()));
  for (json::Value& set : controlled(manager, kReplicaSets, uid))
    seen.sets.push_back(read_replica_set(std::move(set)));
  for (const json::Value& run : controlled(manager, kAnalysisRuns, uid))
    seen.runs.push_back(read_child(run));
  for (const json::Value& one : controlled(manager, kExperiments, uid))
    seen.experiments.push_back(read_experiment(one));
  read_services(manager, around.claims, seen, objects);
  read_divided_service(manager, seen, objects);
  objects.merge(referred_templates(seen));
  compute_hashes(seen);
  // It notes what templates refer to, also when something else is wrong.
  std::string problem = reference_problem(manager, around.claims, seen, objects);
  if (seen.problem.empty()) seen.problem = std::move(problem);
  around.references.set(key, std::move(objects));
  SLIPWAY_CO_TRY(co_await add_missing_runs(manager, seen));
  SLIPWAY_CO_TRY(co_await add_missing_experiment(manager, seen));
  SLIPWAY_CO_TRY(co_await read_pods(manager, seen));
  co_return Found(std::move(seen));
}

}  // namespace slipway::rollout
