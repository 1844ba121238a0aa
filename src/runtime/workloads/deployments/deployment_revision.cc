#include "runtime/workloads/deployments/deployment_revision.h"

#include <algorithm>
#include <array>

#include "api/object.h"
#include "api/rules/members.h"
#include "base/hash.h"
#include "base/text.h"
#include "runtime/workloads/deployments/template_dump.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxName = 253;
constexpr std::array<std::string_view, 6> kNotHandedOn = {
    "kubectl.kubernetes.io/last-applied-configuration",
    kRevision,
    kRevisionHistory,
    kDesiredReplicas,
    kMaxReplicas,
    "deprecated.deployment.rollback.to"};

bool is_handed_on(std::string_view key) {
  return std::ranges::find(kNotHandedOn, key) == kNotHandedOn.end();
}

// The list with one more at its end, and as many fewer at its front as it takes to fit.
std::string with_earlier(const std::string& list, const std::string& revision) {
  if (list.empty()) return revision;
  std::string longer = list + "," + revision;
  while (longer.size() > kMaxRevisionHistory) {
    const std::size_t comma = longer.find(',');
    if (comma == std::string::npos) return list;
    longer.erase(0, comma + 1);
  }
  return longer;
}

json::Object json_of(const Annotations& annotations) {
  json::Object object;
  for (const auto& [key, value] : annotations) object[key] = value;
  return object;
}

}  // namespace

std::int64_t next_revision(const std::vector<SetView>& sets) {
  std::int64_t newest = 0;
  for (const SetView& set : sets)
    if (!set.current) newest = std::max(newest, set.revision());
  return newest + 1;
}

Annotations set_annotations(const DeploymentView& deployment, const Annotations& before,
                            std::int64_t revision) {
  Annotations now = before;
  for (const auto& [key, value] : deployment.annotations)
    if (is_handed_on(key)) now[key] = value;
  const auto old = before.find(kRevision);
  const auto number = number_in(before, kRevision);
  if (old != before.end() && !number) return now;  // somebody else's word; left alone
  if (number.value_or(0) >= revision) return now;
  now[std::string(kRevision)] = std::to_string(revision);
  if (number) {
    const auto list = before.find(kRevisionHistory);
    now[std::string(kRevisionHistory)] =
        with_earlier(list == before.end() ? "" : list->second, old->second);
  }
  return now;
}

void note_sizes(const DeploymentView& deployment, Annotations& annotations) {
  annotations[std::string(kDesiredReplicas)] = std::to_string(deployment.replicas);
  annotations[std::string(kMaxReplicas)] = std::to_string(deployment.replicas + deployment.surge);
}

std::string hash_of_template(const json::Value& pod_template, std::int32_t collisions) {
  std::uint32_t hash = fnv1a32(dump_template(pod_template));
  if (collisions > 0) {
    std::string count(8, '\0');  // twice as wide as the number
    for (std::size_t i = 0; i < 4; ++i)
      count[i] = static_cast<char>((static_cast<std::uint32_t>(collisions) >> (8 * i)) & 0xff);
    hash = fnv1a32(count, hash);
  }
  return safe_encode(std::to_string(hash));
}

json::Object make_set(const DeploymentView& deployment, std::int64_t replicas,
                      std::int64_t revision) {
  const std::string hash = hash_of_template(deployment.pod_template, deployment.collisions);
  json::Value pod_template = deployment.pod_template;
  json::Object& labels = json::object_at(pod_template, {"metadata", "labels"});
  labels[kHashLabel] = hash;
  json::Value selector = deployment.selector;
  json::object_at(selector, {"matchLabels"})[kHashLabel] = hash;
  Annotations annotations = set_annotations(deployment, {}, revision);
  note_sizes(deployment, annotations);

  json::Object set{{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}};
  json::Object& metadata = api::metadata_of(set);
  metadata["name"] = deployment.key.name.substr(0, kMaxName - 1 - hash.size()) + "-" + hash;
  metadata["namespace"] = deployment.key.ns;
  metadata["labels"] = labels;
  metadata["annotations"] = json_of(annotations);
  api::set_owners(set, {{.api_version = "apps/v1",
                         .kind = "Deployment",
                         .name = deployment.key.name,
                         .uid = deployment.claimant.uid,
                         .controller = true,
                         .block_owner_deletion = true}});
  json::Object spec{{"replicas", replicas}, {"selector", std::move(selector)}};
  if (deployment.min_ready_seconds > 0) spec["minReadySeconds"] = deployment.min_ready_seconds;
  spec["template"] = std::move(pod_template);
  set["spec"] = std::move(spec);
  return set;
}

}  // namespace slipway::runtime
