#include "cli/rollout/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/report/plain_text.h"
#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/schema/codec.h"
#include "cli/rollout/health.h"
#include "rollout/objects/fields.h"
#include "rollout/replicas/steps.h"
#include "rollout/status/pause.h"

namespace slipway::cli {

namespace {

namespace argo = api::argo;

// Probes may fail for so long before anybody calls it a problem.
constexpr Duration kTimeToGetReady = std::chrono::seconds(10);

std::string text_at(const json::Value& object, json::Path path) {
  return std::string(json::string_at(object, path));
}

std::string hash_of(const json::Value& set) {
  return rollout::label_of(set.get_object(), argo::kHashLabel);
}

std::int64_t revision_of(const json::Value& object) {
  return rollout::parse_number(api::annotation_of(object.get_object(), argo::kRevision))
      .value_or(0);
}

// The parts a set plays: canary, stable, active, preview, ping, pong.
std::vector<std::string> parts_of(const argo::Rollout& rollout, const std::string& hash) {
  const argo::RolloutStatus& status = rollout.status;
  std::vector<std::string> parts;
  if (hash.empty()) return parts;
  const bool is_stable = status.stable_rs == hash;
  if (const auto& canary = rollout.spec.strategy.canary) {
    const bool is_canary = !is_stable && status.current_pod_hash == hash;
    if (is_stable) parts.emplace_back("stable");
    if (is_canary) parts.emplace_back("canary");
    const bool is_ping = (status.canary.stable_ping_pong == "ping") == is_stable;
    if (canary->ping_pong && (is_stable || is_canary))
      parts.emplace_back(is_ping ? "ping" : "pong");
  } else if (rollout.spec.strategy.blue_green) {
    if (is_stable) parts.emplace_back("stable");
    if (status.blue_green.active_selector == hash)
      parts.emplace_back("active");
    else if (status.blue_green.preview_selector == hash)
      parts.emplace_back("preview");
  }
  return parts;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

// Each image that runs, with the parts it plays.
using Images = std::map<std::string, std::vector<std::string>>;

void add_images(Images& images, const json::Value& owner, const std::vector<std::string>& tags) {
  const json::Value* pods = json::at(owner, {"spec", "template"});
  if (pods == nullptr) return;
  for (const std::string& image : images_of(*pods)) {
    auto& known = images[image];
    for (const std::string& tag : tags)
      if (std::ranges::find(known, tag) == known.end()) known.push_back(tag);
  }
}

std::vector<std::string> shown_images(const ShownRollout& rollout, const Grove& grove) {
  Images images;
  const auto runs = [](const json::Value& set) {
    return rollout::number_at(set, {"status", "replicas"}) > 0;
  };
  for (const json::Value* set : controlled_by(rollout.document, grove.replica_sets))
    if (runs(*set)) add_images(images, *set, parts_of(rollout.view, hash_of(*set)));
  for (const json::Value* experiment : controlled_by(rollout.document, grove.experiments))
    for (const json::Value* set : controlled_by(*experiment, grove.replica_sets))
      if (runs(*set))
        add_images(images, *set,
                   {fmt::format("Σ:{}",
                                api::annotation_of(set->get_object(), argo::kExperimentTemplate))});
  if (images.empty()) add_images(images, rollout.document, {});
  std::vector<std::string> lines;
  for (const auto& [image, tags] : images)
    lines.push_back(tags.empty() ? image : fmt::format("{} ({})", image, joined(tags, ", ")));
  return lines;
}

// What the nearest setWeight asks for is not what Pods or a router have made of it so far.
rollout::Count actual_weight(const ShownRollout& rollout, const Grove& grove) {
  const argo::RolloutStatus& status = rollout.view.status;
  const argo::RolloutSpec& spec = rollout.view.spec;
  const rollout::Count all = rollout::max_weight_of(spec);
  if (rollout::is_fully_promoted(status) && !status.abort) return all;
  if (rollout::is_routed(spec) && !status.stable_rs.empty())
    return status.canary.weights ? status.canary.weights->canary.weight : 0;
  if (status.available_replicas <= 0) return 0;
  for (const json::Value* set : controlled_by(rollout.document, grove.replica_sets))
    if (hash_of(*set) == status.current_pod_hash && !status.current_pod_hash.empty())
      return std::min(all, rollout::count_at(*set, {"status", "availableReplicas"}) * all /
                               status.available_replicas);
  return 0;
}

std::string left_until(std::optional<Time> end, Time now) {
  if (!end) return {};
  const auto left = std::chrono::ceil<std::chrono::seconds>(*end - now);
  return fmt::format("{} left", left > left.zero() ? format_age(left) : "0s");
}

// `2/5`; steps done of all.
std::string step_count(const argo::Rollout& rollout) {
  const rollout::StepPosition position = rollout::position_of(rollout);
  if (!position.index) return {};
  return fmt::format("{}/{}", *position.index, rollout::step_count_of(rollout.spec));
}

// `2/5 (pause: 10m, 8m left)`
std::string step_line(const argo::Rollout& rollout, Time now) {
  const rollout::StepPosition position = rollout::position_of(rollout);
  const std::string count = step_count(rollout);
  if (!position.step || rollout.status.abort) return count;
  std::string text = rollout::step_text(*position.step);
  if (position.step->pause) {
    const auto left = left_until(rollout::end_of_canary_pause(rollout, *position.step->pause), now);
    if (!left.empty()) text += ", " + left;
  }
  return fmt::format("{} ({})", count, text);
}

void add_strategy(HeaderLines& lines, const ShownRollout& rollout, const Grove& grove) {
  const argo::Rollout& view = rollout.view;
  if (view.spec.strategy.canary) {
    lines.emplace_back("Strategy", "Canary");
    if (const std::string step = step_line(view, grove.now); !step.empty())
      lines.emplace_back("  Step", step);
    lines.emplace_back("  SetWeight", std::to_string(rollout::current_weight(view)));
    lines.emplace_back("  ActualWeight", std::to_string(actual_weight(rollout, grove)));
  } else if (view.spec.strategy.blue_green) {
    lines.emplace_back("Strategy", "BlueGreen");
    const auto left = left_until(rollout::end_of_blue_green_pause(view), grove.now);
    if (!left.empty()) lines.emplace_back("  AutoPromotion", left);
  }
}

// One that is past its deadline has had its time.
Duration patience_with(const rollout::Phase& health) {
  return health.phase == "Degraded" ? Duration::zero() : kTimeToGetReady;
}

// What was made since an abort takes over again: it is given its time as in any update.
bool has_had(Duration patience, const json::Value& pod, const argo::RolloutStatus& status,
             Time now) {
  const auto begun = parse_time(json::string_at(pod, {"metadata", "creationTimestamp"}));
  if (!begun) return false;
  if (status.aborted_at && *begun >= *status.aborted_at)
    patience = std::max(patience, kTimeToGetReady);
  return now - *begun >= patience;
}

std::string header(const ShownRollout& rollout, const Grove& grove, const TreeOptions& options) {
  const rollout::Phase health = health_of(rollout.view);
  const argo::RolloutStatus& status = rollout.view.status;
  HeaderLines lines{{"Name", text_at(rollout.document, {"metadata", "name"})},
                    {"Namespace", text_at(rollout.document, {"metadata", "namespace"})}};
  std::string text = render_header(lines);
  // The sign may be coloured, which a header line would take away.
  text += fmt::format("{:<17}{}\n", "Status:", shown(health_mark(health), options.colour));
  lines.clear();
  if (!health.message.empty()) lines.emplace_back("Message", health.message);
  if (const std::string problem = problem_of(rollout, grove, patience_with(health));
      !problem.empty())
    lines.emplace_back("Problem", problem);
  add_strategy(lines, rollout, grove);
  std::string key = "Images";
  for (const std::string& image : shown_images(rollout, grove))
    lines.emplace_back(std::exchange(key, ""), image);
  lines.emplace_back("Replicas", "");
  lines.emplace_back("  Desired", std::to_string(rollout::replicas_of(rollout.view.spec)));
  lines.emplace_back("  Current", std::to_string(status.replicas));
  lines.emplace_back("  Updated", std::to_string(status.updated_replicas));
  lines.emplace_back("  Ready", std::to_string(status.ready_replicas));
  lines.emplace_back("  Available", std::to_string(status.available_replicas));
  return text + render_header(lines, options.columns);
}

TreeNode tree_of(const ShownRollout& rollout, const Grove& grove) {
  std::map<std::int64_t, std::vector<TreeNode>, std::greater<>> revisions;
  for (const json::Value* set : controlled_by(rollout.document, grove.replica_sets))
    revisions[revision_of(*set)].push_back(
        replica_set_node(*set, grove, joined(parts_of(rollout.view, hash_of(*set)), ",")));
  for (const json::Value* one : controlled_by(rollout.document, grove.experiments))
    revisions[revision_of(*one)].push_back(experiment_node(*one, grove));
  for (const json::Value* one : controlled_by(rollout.document, grove.runs))
    revisions[revision_of(*one)].push_back(run_node(*one, grove));
  TreeNode root{
      .sign = "⟳",
      .name = text_at(rollout.document, {"metadata", "name"}),
      .kind = "Rollout",
      .mark = health_mark(health_of(rollout.view)),
      .age = age_since(json::string_at(rollout.document, {"metadata", "creationTimestamp"}),
                       grove.now)};
  for (auto& [revision, children] : revisions)
    root.children.push_back({.sign = "#",
                             .name = fmt::format("revision:{}", revision),
                             .children = std::move(children)});
  return root;
}

}  // namespace

Result<ShownRollout> read_rollout(json::Value document) {
  if (!document.is_object())
    return fail(ErrorCode::kInternal, "the server answered with something that is no Rollout");
  api::Findings unread;
  auto view = api::decode_leniently<argo::Rollout>(document, {}, unread);
  return ShownRollout{.document = std::move(document), .view = std::move(view)};
}

std::string rollout_text(const ShownRollout& rollout, const Grove& grove,
                         const TreeOptions& options) {
  return header(rollout, grove, options) + "\n" + render_tree(tree_of(rollout, grove), options);
}

std::string problem_of(const ShownRollout& rollout, const Grove& grove, Duration patience) {
  std::vector<std::string> problems;
  for (const json::Value* set : controlled_by(rollout.document, grove.replica_sets)) {
    if (const std::string_view why = failure_of(*set); !why.empty())
      problems.push_back(
          fmt::format("ReplicaSet {}: {}", text_at(*set, {"metadata", "name"}), why));
    for (const json::Value* pod : controlled_by(*set, grove.pods))
      if (const std::string_view why = trouble_of(*pod, grove);
          !why.empty() && has_had(patience, *pod, rollout.view.status, grove.now))
        problems.push_back(fmt::format("Pod {}: {}", text_at(*pod, {"metadata", "name"}), why));
  }
  if (problems.empty()) return {};
  const std::string first = analysis::report::one_line(problems.front());
  return problems.size() < 2 ? first : fmt::format("{} (and {} more)", first, problems.size() - 1);
}

std::string state_line(const ShownRollout& rollout, const Grove& grove) {
  const std::string health = health_line(health_of(rollout.view));
  const std::string step = step_count(rollout.view);
  if (step.empty()) return health;
  return fmt::format("{} (step {}, weight {} of {})", health, step, actual_weight(rollout, grove),
                     rollout::current_weight(rollout.view));
}

std::vector<std::vector<std::string>> rollout_rows(const std::vector<ShownRollout>& rollouts,
                                                   bool with_namespace) {
  std::vector<std::vector<std::string>> rows{{"NAME", "STRATEGY", "STATUS", "STEP", "SET-WEIGHT",
                                              "READY", "DESIRED", "UP-TO-DATE", "AVAILABLE"}};
  for (const auto& [document, view] : rollouts) {
    const argo::RolloutStatus& status = view.status;
    const bool is_canary = rollout::is_canary(view.spec);
    const std::string step = step_count(view);
    rows.push_back({text_at(document, {"metadata", "name"}),
                    is_canary                           ? "Canary"
                    : rollout::is_blue_green(view.spec) ? "BlueGreen"
                                                        : "-",
                    analysis::report::one_line(health_of(view).phase), step.empty() ? "-" : step,
                    is_canary ? std::to_string(rollout::current_weight(view)) : "-",
                    fmt::format("{}/{}", status.ready_replicas, status.replicas),
                    std::to_string(rollout::replicas_of(view.spec)),
                    std::to_string(status.updated_replicas),
                    std::to_string(status.available_replicas)});
  }
  if (!with_namespace) return rows;
  rows.front().insert(rows.front().begin(), "NAMESPACE");
  for (std::size_t i = 0; i < rollouts.size(); ++i)
    rows[i + 1].insert(rows[i + 1].begin(),
                       text_at(rollouts[i].document, {"metadata", "namespace"}));
  return rows;
}

}  // namespace slipway::cli
