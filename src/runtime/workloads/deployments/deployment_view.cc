#include "runtime/workloads/deployments/deployment_view.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "api/object.h"
#include "api/rules/members.h"
#include "api/rules/place.h"
#include "runtime/workloads/conditions.h"
#include "store/key_of.h"

namespace slipway::runtime {

namespace {

// As Kubernetes writes "none" for limits.
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int32_t>::max();

std::optional<std::int64_t> number_from(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

void read_strategy(DeploymentView& view, const json::Object& spec) {
  const json::Object* strategy = api::object_in(spec, "strategy");
  view.recreate = strategy && api::text_in(*strategy, "type") == "Recreate";
  if (view.recreate) return;
  const json::Object* rolling = strategy ? api::object_in(*strategy, "rollingUpdate") : nullptr;
  const auto given = [&](std::string_view field) {
    const json::Value* value = rolling ? rolling->if_contains(field) : nullptr;
    return value ? *value : json::Value("25%");
  };
  view.surge = scaled(given("maxSurge"), view.replicas, true);
  view.unavailable = scaled(given("maxUnavailable"), view.replicas, false);
  // Rounding may leave no room to move at all.
  if (view.surge == 0 && view.unavailable == 0) view.unavailable = 1;
  view.unavailable = std::min(view.unavailable, view.replicas);
}

void drop_hash(json::Value& pod_template) {
  json::Value* labels = json::at(pod_template, {"metadata", "labels"});
  if (labels && labels->is_object()) json::erase(labels->get_object(), kHashLabel);
}

}  // namespace

Annotations annotations_of(const json::Object& object) {
  Annotations all;
  const json::Object* metadata = api::metadata_of(object);
  const json::Object* given = metadata ? api::object_in(*metadata, "annotations") : nullptr;
  if (given)
    for (const auto& [key, value] : *given)
      if (value.is_string()) all.emplace(key, value.get_string());
  return all;
}

std::optional<std::int64_t> number_in(const Annotations& annotations, std::string_view key) {
  const auto found = annotations.find(key);
  if (found == annotations.end()) return std::nullopt;
  const auto number = number_from(found->second);
  return number && *number >= 0 && *number <= kNoLimit ? number : std::nullopt;
}

std::int64_t scaled(const json::Value& number_or_percent, std::int64_t total, bool up) {
  if (const auto* number = number_or_percent.if_int64()) return *number;
  if (!number_or_percent.is_string()) return 0;
  std::string_view text = number_or_percent.get_string();
  if (!text.ends_with('%')) return 0;
  text.remove_suffix(1);
  return (number_from(text).value_or(0) * total + (up ? 99 : 0)) / 100;
}

bool same_template(const json::Value& a, const json::Value& b) {
  json::Value one = a;
  json::Value other = b;
  drop_hash(one);
  drop_hash(other);
  return api::same_when_stored(one, other);
}

Result<DeploymentView> view_deployment(const json::Object& deployment) {
  const json::Object* spec = api::object_in(deployment, "spec");
  if (!spec) return fail(ErrorCode::kInvalid, "a Deployment without spec");
  auto claimant = view_claimant(deployment);
  if (!claimant) return std::unexpected(std::move(claimant).error());
  const auto value_at = [&](std::string_view field) {
    const json::Value* value = spec->if_contains(field);
    return value ? *value : json::Value(nullptr);
  };
  DeploymentView view{
      .key = store::key_of(deployment),
      .claimant = std::move(*claimant),
      .generation = api::generation_of(deployment),
      .replicas = api::number_in<std::int64_t>(*spec, "replicas").value_or(1),
      .min_ready_seconds = api::number_in<std::int32_t>(*spec, "minReadySeconds").value_or(0),
      .history = api::number_in<std::int64_t>(*spec, "revisionHistoryLimit"),
      .paused = api::flag_in(*spec, "paused"),
      .annotations = annotations_of(deployment),
      .pod_template = value_at("template"),
      .selector = value_at("selector")};
  read_strategy(view, *spec);
  if (view.history == kNoLimit) view.history.reset();
  const auto deadline = api::number_in<std::int64_t>(*spec, "progressDeadlineSeconds");
  if (deadline && *deadline != kNoLimit) view.deadline = std::chrono::seconds(*deadline);
  if (const json::Object* status = api::object_in(deployment, "status")) view.status = *status;
  view.collisions = api::number_in<std::int32_t>(view.status, "collisionCount").value_or(0);
  return view;
}

bool is_older(const SetView& a, const SetView& b) {
  return a.created != b.created ? a.created < b.created : a.key.name < b.key.name;
}

std::int64_t SetView::revision() const { return number_in(annotations, kRevision).value_or(0); }

SetView view_set(const json::Object& replica_set, const DeploymentView& deployment) {
  SetView view{.key = store::key_of(replica_set),
               .uid = std::string(api::uid_of(replica_set)),
               .version = api::version_of(replica_set),
               .deleting = api::is_deleting(replica_set),
               .generation = api::generation_of(replica_set),
               .annotations = annotations_of(replica_set)};
  const auto created =
      parse_time(api::text_in(*api::metadata_of(replica_set), "creationTimestamp"));
  if (created) view.created = *created;
  if (const json::Object* spec = api::object_in(replica_set, "spec")) {
    view.replicas = api::number_in<std::int64_t>(*spec, "replicas").value_or(1);
    view.min_ready_seconds = api::number_in<std::int32_t>(*spec, "minReadySeconds").value_or(0);
    if (const json::Value* pod_template = spec->if_contains("template"))
      view.current = same_template(*pod_template, deployment.pod_template);
  }
  if (const json::Object* status = api::object_in(replica_set, "status")) {
    const auto count = [&](std::string_view field) {
      return api::number_in<std::int64_t>(*status, field).value_or(0);
    };
    view.actual = count("replicas");
    view.ready = count("readyReplicas");
    view.available = count("availableReplicas");
    view.observed = count("observedGeneration");
    if (const json::Object* failure = condition_in(*status, "ReplicaFailure"))
      view.failure = *failure;
  }
  return view;
}

}  // namespace slipway::runtime
