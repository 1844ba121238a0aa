#include <fmt/format.h>

#include "analysis/argo/create_run.h"
#include "analysis/argo/owner_arguments.h"
#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "rollout/objects/children.h"
#include "rollout/objects/likeness.h"
#include "rollout/shell/carry_out.h"
#include "store/decode.h"

namespace slipway::rollout {

namespace {

using slipway::Task;

Task<Result<json::Value>> read_document(store::Store& store, api::Gvr kind, store::Key key) {
  auto item = co_await store.get(std::move(kind), std::move(key));
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  co_return json::Value(std::move(*document));
}

std::string_view attempt_in(const json::Value& object) {
  return json::string_at(object, {"metadata", "annotations", argo::kAttempt});
}

// Made by a look that did not get as far as its status, or by one whose cache was behind.
bool is_wanted_experiment(const json::Value& there, const json::Object& wanted,
                          std::string_view uid) {
  const auto owner = api::controller_of(there.get_object());
  if (!owner || owner->uid != uid || api::is_deleting(there.get_object())) return false;
  return attempt_in(there) == attempt_in(json::Value(wanted)) && !read_child(there).is_terminated;
}

Task<Result<bool>> adopt(store::Store& store, const Situation& seen, json::Value there,
                         Written& written) {
  json::Object owned = there.get_object();
  api::add_owner(owned, api::controller_reference(seen.document.get_object()));
  const json::Value with_owner = std::move(owned);
  json::Object metadata{{"uid", api::uid_of(there.get_object())},
                        {"ownerReferences", with_owner.at("metadata").at("ownerReferences")}};
  auto done = co_await store.patch(
      kReplicaSets, {seen.ns(), std::string(api::name_of(there.get_object()))},
      {.type = store::PatchType::kMerge, .body = json::Object{{"metadata", std::move(metadata)}}},
      {.manager = std::string(argo::kEventSource)});
  if (!done) co_return std::unexpected(std::move(done).error());
  written[kReplicaSets] = std::max(written[kReplicaSets], done->version);
  co_return true;
}

}  // namespace

Task<Result<bool>> create_set(store::Store& store, const Situation& seen, json::Object object,
                              Written& written) {
  const store::Key key{seen.ns(), std::string(api::name_of(object))};
  auto made = co_await store.create(kReplicaSets, key.ns, std::move(object),
                                    {.manager = std::string(argo::kEventSource)});
  if (made) {
    written[kReplicaSets] = std::max(written[kReplicaSets], made->version);
    co_return true;
  }
  if (made.error().code != ErrorCode::kAlreadyExists)
    co_return std::unexpected(std::move(made).error());
  auto there = co_await read_document(store, kReplicaSets, key);
  if (!there) co_return std::unexpected(std::move(there).error());
  if (api::is_deleting(there->get_object()))
    co_return fail(ErrorCode::kUnavailable,
                   fmt::format("ReplicaSet \"{}\" is still being deleted", key.name));
  if (!has_template(*there, seen.rollout)) co_return false;
  const auto owner = api::controller_of(there->get_object());
  if (!owner) co_return co_await adopt(store, seen, std::move(*there), written);
  if (owner->uid != api::uid_of(seen.document.get_object())) co_return false;
  written[kReplicaSets] = std::max(written[kReplicaSets], api::version_of(there->get_object()));
  co_return true;
}

Task<Result<std::string>> create_run(store::Store& store, const Situation& seen, CreateRun wanted,
                                     std::string stable_hash) {
  auto args =
      analysis::rollout_arguments(wanted.analysis.args, {.rollout = seen.document.get_object(),
                                                         .stable_hash = std::move(stable_hash),
                                                         .latest_hash = seen.hash});
  if (!args) co_return std::unexpected(std::move(args).error());
  auto spec = co_await analysis::compose_from_store(
      store, seen.ns(),
      {.templates = wanted.analysis.templates,
       .args = std::move(*args),
       .dry_run = wanted.analysis.dry_run,
       .measurement_retention = wanted.analysis.measurement_retention});
  if (!spec) co_return std::unexpected(std::move(spec).error());
  auto made = co_await analysis::create_run(
      store, analysis::run_object({.ns = seen.ns(),
                                   .name = std::move(wanted.name),
                                   .owner = api::controller_reference(seen.document.get_object()),
                                   .labels = std::move(wanted.labels),
                                   .annotations = std::move(wanted.annotations),
                                   .attempt = std::move(wanted.attempt),
                                   .spec = std::move(*spec)}));
  if (!made) co_return std::unexpected(std::move(made).error());
  co_return std::move(made->name);
}

Task<Result<std::string>> create_experiment(store::Store& store, const Situation& seen,
                                            json::Object object, Written& written) {
  const std::string base(api::name_of(object));
  const std::string uid(api::uid_of(seen.document.get_object()));
  for (int i = 0; i <= kMaxExperimentsOfAName; ++i) {
    const std::string name = i == 0 ? base : fmt::format("{}-{}", base, i);
    api::metadata_of(object)["name"] = name;
    auto made = co_await store.create(kExperiments, seen.ns(), object,
                                      {.manager = std::string(argo::kEventSource)});
    if (made) {
      written[kExperiments] = std::max(written[kExperiments], made->version);
      co_return name;
    }
    if (made.error().code != ErrorCode::kAlreadyExists)
      co_return std::unexpected(std::move(made).error());
    auto there = co_await read_document(store, kExperiments, {seen.ns(), name});
    if (!there && there.error().code == ErrorCode::kNotFound) continue;
    if (!there) co_return std::unexpected(std::move(there).error());
    if (is_wanted_experiment(*there, object, uid)) co_return name;
  }
  co_return fail(ErrorCode::kInvalid,
                 fmt::format("there are {} experiments named {} already; delete some",
                             kMaxExperimentsOfAName, base));
}

}  // namespace slipway::rollout
