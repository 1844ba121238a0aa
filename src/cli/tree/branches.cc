#include "cli/tree/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/table.h"
#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/schema/codec.h"
#include "cli/tree/marks.h"

namespace slipway::cli {

namespace {

// Cells of analysis::table_of.
constexpr std::size_t kMetricCell = 0, kLastCell = 1;
constexpr std::size_t kMaxShownMetrics = 3;

std::string_view name_of(const json::Value& object) {
  return json::string_at(object, {"metadata", "name"});
}

TreeNode node_of(std::string sign, std::string kind, const json::Value& object, Mark mark,
                 Time now) {
  return {.sign = std::move(sign),
          .name = std::string(name_of(object)),
          .kind = std::move(kind),
          .mark = std::move(mark),
          .age = age_since(json::string_at(object, {"metadata", "creationTimestamp"}), now)};
}

void add_word(std::string& info, std::string_view word) {
  if (word.empty()) return;
  if (!info.empty()) info += ',';
  info += word;
}

void add_reason(std::string& info, std::string_view reason) {
  if (!reason.empty()) info += fmt::format("{}{}", info.empty() ? "" : " ", reason);
}

// Of the newest warning about a Pod.
std::string_view warning_about(const json::Value& pod, const Grove& grove) {
  const std::string_view uid = json::string_at(pod, {"metadata", "uid"});
  const json::Value* newest = nullptr;
  const auto when = [](const json::Value& event) {
    const std::string_view last = json::string_at(event, {"lastTimestamp"});
    return last.empty() ? json::string_at(event, {"metadata", "creationTimestamp"}) : last;
  };
  for (const json::Value& event : grove.warnings)
    if (json::string_at(event, {"involvedObject", "uid"}) == uid &&
        (newest == nullptr || when(*newest) <= when(event)))
      newest = &event;
  return newest == nullptr ? std::string_view() : json::string_at(*newest, {"message"});
}

// What a container waits for.
std::string_view wait_of(const json::Value& pod) {
  const json::Value* statuses = json::at(pod, {"status", "containerStatuses"});
  if (statuses == nullptr || !statuses->is_array()) return {};
  for (const json::Value& one : statuses->get_array()) {
    const auto why = json::string_at(one, {"state", "waiting", "message"});
    if (why.empty()) continue;
    // What ended it says more than that it waits for another start.
    const auto end = json::string_at(one, {"lastState", "terminated", "message"});
    return end.empty() ? why : end;
  }
  return {};
}

TreeNode pod_node(const json::Value& pod, const Grove& grove) {
  TreeNode node = node_of("□", "Pod", pod, pod_mark(pod), grove.now);
  std::size_t ready = 0;
  std::int64_t restarts = 0;
  const json::Value* statuses = json::at(pod, {"status", "containerStatuses"});
  if (statuses != nullptr && statuses->is_array())
    for (const json::Value& one : statuses->get_array()) {
      const json::Value* is_ready = json::at(one, {"ready"});
      if (is_ready != nullptr && is_ready->is_bool() && is_ready->get_bool()) ++ready;
      const json::Value* count = json::at(one, {"restartCount"});
      if (count != nullptr && count->is_int64()) restarts += count->get_int64();
    }
  const json::Value* containers = json::at(pod, {"spec", "containers"});
  const std::size_t all =
      containers != nullptr && containers->is_array() ? containers->get_array().size() : 0;
  node.info = fmt::format("ready:{}/{}", ready, all);
  if (restarts > 0) add_word(node.info, fmt::format("restarts:{}", restarts));
  add_reason(node.info, trouble_of(pod, grove));
  return node;
}

std::string delay_of(const json::Value& replica_set, Time now) {
  const std::string_view text =
      api::annotation_of(replica_set.get_object(), api::argo::kScaleDownDeadline);
  const json::Value* replicas = json::at(replica_set, {"spec", "replicas"});
  const auto deadline = parse_time(text);
  if (!deadline || (replicas != nullptr && *replicas == 0)) return {};
  if (*deadline <= now) return "delay:passed";
  const auto left = std::chrono::ceil<std::chrono::seconds>(*deadline - now);
  return fmt::format("delay:{}", format_age(left));
}

// Of the measurements of all its metrics.
std::string counts_of(const api::argo::AnalysisRunStatus& status) {
  api::argo::RunSummary all;
  for (const auto& metric : status.metric_results) {
    all.successful += metric.successful;
    all.failed += metric.failed;
    all.inconclusive += metric.inconclusive;
    all.error += metric.error;
  }
  std::string text;
  const auto add = [&](std::string_view sign, std::int32_t count) {
    if (count > 0) add_word(text, fmt::format("{} {}", sign, count));
  };
  add("✔", all.successful);
  add("✖", all.failed);
  add("?", all.inconclusive);
  add("⚠", all.error);
  return text;
}

std::string numbers_of(const api::argo::AnalysisRun& run) {
  std::string text;
  const auto rows = analysis::table_of(run, {.header = false});
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxShownMetrics); ++i)
    if (rows[i].size() > kLastCell && !rows[i][kLastCell].empty() && rows[i][kLastCell] != "-")
      text += fmt::format(" {}={}", rows[i][kMetricCell], rows[i][kLastCell]);
  if (rows.size() > kMaxShownMetrics) text += " …";
  return text;
}

}  // namespace

std::vector<const json::Value*> controlled_by(const json::Value& owner,
                                              const std::vector<json::Value>& objects) {
  const std::string_view uid = json::string_at(owner, {"metadata", "uid"});
  std::vector<const json::Value*> found;
  for (const json::Value& object : objects) {
    if (!object.is_object() || uid.empty()) continue;
    const auto controller = api::controller_of(object.get_object());
    if (controller && controller->uid == uid) found.push_back(&object);
  }
  std::ranges::sort(found, [](const json::Value* a, const json::Value* b) {
    const auto age_a = json::string_at(*a, {"metadata", "creationTimestamp"});
    const auto age_b = json::string_at(*b, {"metadata", "creationTimestamp"});
    return age_a != age_b ? age_a > age_b : name_of(*a) < name_of(*b);
  });
  return found;
}

std::string_view trouble_of(const json::Value& pod, const Grove& grove) {
  if (is_well(pod)) return {};
  const std::string_view why = wait_of(pod);
  return why.empty() ? warning_about(pod, grove) : why;
}

std::string_view failure_of(const json::Value& replica_set) {
  const json::Value* conditions = json::at(replica_set, {"status", "conditions"});
  if (conditions == nullptr || !conditions->is_array()) return {};
  for (const json::Value& one : conditions->get_array())
    if (json::string_at(one, {"type"}) == "ReplicaFailure" &&
        json::string_at(one, {"status"}) == "True")
      return json::string_at(one, {"message"});
  return {};
}

std::vector<const json::Value*> unexplained_pods(const json::Value& root, const Grove& grove) {
  std::vector<const json::Value*> sets = controlled_by(root, grove.replica_sets);
  for (const json::Value* experiment : controlled_by(root, grove.experiments))
    std::ranges::copy(controlled_by(*experiment, grove.replica_sets), std::back_inserter(sets));
  std::vector<const json::Value*> pods;
  for (const json::Value* set : sets)
    std::ranges::copy_if(
        controlled_by(*set, grove.pods), std::back_inserter(pods),
        [](const json::Value* pod) { return !is_well(*pod) && wait_of(*pod).empty(); });
  return pods;
}

TreeNode replica_set_node(const json::Value& replica_set, const Grove& grove, std::string info) {
  TreeNode node = node_of("⧉", "ReplicaSet", replica_set, replica_set_mark(replica_set), grove.now);
  node.info = std::move(info);
  add_word(node.info, delay_of(replica_set, grove.now));
  add_reason(node.info, failure_of(replica_set));
  for (const json::Value* pod : controlled_by(replica_set, grove.pods))
    node.children.push_back(pod_node(*pod, grove));
  return node;
}

TreeNode run_node(const json::Value& run, const Grove& grove) {
  TreeNode node = node_of("α", "AnalysisRun", run,
                          phase_mark(json::string_at(run, {"status", "phase"})), grove.now);
  if (const auto view = api::decode<api::argo::AnalysisRun>(run); view && view->status) {
    node.info = counts_of(*view->status) + numbers_of(*view);
    if (node.info.starts_with(" ")) node.info.erase(0, 1);
  }
  for (const json::Value* job : controlled_by(run, grove.jobs))
    node.children.push_back(node_of("⊞", "Job", *job, job_mark(*job), grove.now));
  return node;
}

TreeNode experiment_node(const json::Value& experiment, const Grove& grove) {
  TreeNode node = node_of("Σ", "Experiment", experiment,
                          phase_mark(json::string_at(experiment, {"status", "phase"})), grove.now);
  const auto by_name = [](const TreeNode& a, const TreeNode& b) { return a.name < b.name; };
  std::vector<TreeNode> sets, runs;
  for (const json::Value* one : controlled_by(experiment, grove.replica_sets))
    sets.push_back(replica_set_node(*one, grove));
  for (const json::Value* one : controlled_by(experiment, grove.runs))
    runs.push_back(run_node(*one, grove));
  std::ranges::sort(sets, by_name);
  std::ranges::sort(runs, by_name);
  std::ranges::move(sets, std::back_inserter(node.children));
  std::ranges::move(runs, std::back_inserter(node.children));
  return node;
}

std::vector<std::string> images_of(const json::Value& pod_template) {
  std::vector<std::string> images;
  const json::Value* containers = json::at(pod_template, {"spec", "containers"});
  if (containers == nullptr || !containers->is_array()) return images;
  for (const json::Value& container : containers->get_array()) {
    const std::string image(json::string_at(container, {"image"}));
    if (!image.empty() && std::ranges::find(images, image) == images.end()) images.push_back(image);
  }
  return images;
}

}  // namespace slipway::cli
