#include "experiment/decide_template.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/phase.h"
#include "api/kinds/argo_names.h"
#include "experiment/objects.h"

namespace slipway::experiment {

namespace {

using namespace analysis;
using api::argo::kScaleDownDeadline;

// One template's turn, with what concerns it looked up.
struct Turn {
  const TemplateTurn& of;
  const TemplateSpec& variant;
  const TemplateStatus* before = nullptr;
  const ReplicaSetSeen* replica_set = nullptr;
  const ServiceSeen* service = nullptr;
  bool terminating = false;
  bool ended = false;  // no ReplicaSet is wanted any more
  std::int32_t desired = 0;

  const ExperimentSpec& spec() const { return of.experiment.spec; }
  std::optional<std::int32_t> collisions() const {
    return before != nullptr ? before->collision_count : std::nullopt;
  }
};

template <class Map>
auto* find(Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

Turn begin(const TemplateTurn& of, const TemplateSpec& variant) {
  const ExperimentSpec& spec = of.experiment.spec;
  const ExperimentStatus& status = of.experiment.status;
  Turn turn{.of = of,
            .variant = variant,
            .before = status_of(status, variant.name),
            .replica_set = find(of.observed.replica_sets, variant.name),
            .service = find(of.observed.services, variant.name),
            .terminating = is_terminating(spec, status),
            .desired = desired_replicas(spec, status, variant)};
  turn.ended =
      turn.terminating || (turn.before != nullptr && is_template_completed(turn.before->status));
  return turn;
}

void patch(const Turn& turn, json::Object body, std::vector<Happening> happenings, Plan& plan) {
  const bool scales = !happenings.empty();
  plan.actions.emplace_back(PatchReplicaSet{.variant = turn.variant.name,
                                            .name = turn.replica_set->name,
                                            .uid = turn.replica_set->uid,
                                            .body = std::move(body),
                                            .scales = scales,
                                            .happenings = std::move(happenings)});
}

Happening scaled(const ReplicaSetSeen& replica_set, std::int32_t to) {
  return {.reason = "ScalingReplicaSet",
          .message = fmt::format("Scaled {} ReplicaSet {} from {} to {}",
                                 replica_set.wanted < to ? "up" : "down", replica_set.name,
                                 replica_set.wanted, to)};
}

json::Object deadline_patch(json::Value value) {
  json::Object annotations;
  annotations[kScaleDownDeadline] = std::move(value);
  return {{"metadata", json::Object{{"annotations", std::move(annotations)}}}};
}

// Pods stay for a while after the end, for those who still look at them.
void scale_down(const Turn& turn, Plan& plan) {
  const ReplicaSetSeen& replica_set = *turn.replica_set;
  if (replica_set.wanted == 0) return;
  const std::chrono::seconds delay(
      turn.spec().scale_down_delay_seconds.value_or(kScaleDownDelaySeconds));
  if (delay > delay.zero() && !replica_set.has_deadline) {
    const Time deadline = std::chrono::floor<std::chrono::seconds>(turn.of.now) + delay;
    return patch(turn, deadline_patch(json::Value(format_time(deadline))), {}, plan);
  }
  if (delay > delay.zero() && replica_set.deadline && *replica_set.deadline > turn.of.now)
    return look_again(plan, *replica_set.deadline);
  json::Object body = delay > delay.zero() ? json::Object() : deadline_patch(nullptr);
  body["spec"] = json::Object{{"replicas", 0}};
  patch(turn, std::move(body), {scaled(replica_set, 0)}, plan);
}

void scale(const Turn& turn, Plan& plan) {
  const ReplicaSetSeen& replica_set = *turn.replica_set;
  json::Object body = replica_set.has_deadline ? deadline_patch(nullptr) : json::Object();
  json::Object spec;
  std::vector<Happening> happenings;
  if (replica_set.wanted != turn.desired) {
    spec["replicas"] = turn.desired;
    happenings.push_back(scaled(replica_set, turn.desired));
  }
  if (replica_set.min_ready_seconds != turn.variant.min_ready_seconds)
    spec["minReadySeconds"] = turn.variant.min_ready_seconds;
  if (!spec.empty()) body["spec"] = std::move(spec);
  if (!body.empty()) patch(turn, std::move(body), std::move(happenings), plan);
}

void remove_service(const Turn& turn, Plan& plan) {
  if (turn.service == nullptr || turn.service->deleting) return;
  plan.actions.emplace_back(DeleteService{
      .variant = turn.variant.name, .name = turn.service->name, .uid = turn.service->uid});
}

void decide_service(const Turn& turn, Plan& plan) {
  if (!turn.variant.service || turn.ended) {
    const bool gone = turn.replica_set == nullptr || turn.replica_set->available == 0;
    if (!turn.variant.service || gone) remove_service(turn, plan);
    return;
  }
  if (turn.desired == 0 || turn.replica_set == nullptr) return;
  const std::string name = service_name(turn.of.who, turn.variant);
  if (turn.service != nullptr && turn.service->name != name) return remove_service(turn, plan);
  if (turn.service != nullptr && turn.service->deleting) return;
  if (turn.service == nullptr) {
    if (turn.of.observed.waiting.contains(turn.variant.name))
      return look_again(plan, turn.of.now + kTryNameAgain);
    if (auto object = service_of(turn.of.who, turn.variant, *turn.replica_set))
      plan.actions.emplace_back(
          CreateService{.variant = turn.variant.name, .object = std::move(*object)});
  } else if (!json::same(json::Value(turn.service->selector),
                         json::Value(turn.replica_set->labels))) {
    plan.actions.emplace_back(PatchService{.variant = turn.variant.name,
                                           .name = turn.service->name,
                                           .uid = turn.service->uid,
                                           .selector = turn.replica_set->labels});
  }
}

void act(const Turn& turn, Plan& plan) {
  const std::string& name = turn.variant.name;
  if (turn.of.observed.failures.contains(name)) return;
  // It is about to end: what cannot be judged need not begin.
  if (!turn.ended && !turn.of.observed.analysis_failures.empty()) return;
  if (turn.replica_set != nullptr && turn.replica_set->deleting) return;
  if (turn.replica_set == nullptr) {
    if (turn.ended) return decide_service(turn, plan);
    if (turn.of.observed.waiting.contains(name))
      return look_again(plan, turn.of.now + kTryNameAgain);
    plan.actions.emplace_back(CreateReplicaSet{
        .variant = name, .object = replica_set_of(turn.of.who, turn.variant, turn.collisions())});
    return;
  }
  if (!turn.ended && is_edited(turn.of.who, turn.variant, turn.collisions(), *turn.replica_set)) {
    plan.actions.emplace_back(DeleteReplicaSet{
        .variant = name, .name = turn.replica_set->name, .uid = turn.replica_set->uid});
    return;
  }
  decide_service(turn, plan);
  turn.ended ? scale_down(turn, plan) : scale(turn, plan);
}

bool same_counters(const TemplateStatus& a, const TemplateStatus& b) {
  return a.replicas == b.replicas && a.updated_replicas == b.updated_replicas &&
         a.ready_replicas == b.ready_replicas && a.available_replicas == b.available_replicas;
}

void count(const Turn& turn, TemplateStatus& status) {
  static const ReplicaSetSeen kNone = {};
  const bool there = turn.replica_set != nullptr && !turn.replica_set->deleting;
  const ReplicaSetSeen& seen = there ? *turn.replica_set : kNone;
  status.replicas = status.updated_replicas = seen.replicas;
  status.ready_replicas = seen.ready;
  status.available_replicas = seen.available;
}

// Every sign of life gives it the whole time again, a ReplicaSet of its own above all.
Time waiting_since(const Turn& turn, const TemplateStatus& status) {
  Time since = status.last_transition_time.value_or(turn.of.now);
  if (turn.replica_set != nullptr && turn.replica_set->created)
    since = std::max(since, *turn.replica_set->created);
  return since;
}

// On the way to be available what is counted may be of a size that it had before; what runs goes on
// when something else of it is edited, until other numbers are known.
bool is_available(const Turn& turn, const TemplateStatus& status) {
  if (turn.desired != status.available_replicas) return false;
  if (turn.ended) return true;
  return turn.replica_set != nullptr &&
         (turn.replica_set->is_observed || status.status == kRunning);
}

void assess(const Turn& turn, TemplateStatus& status, Plan& plan) {
  if (is_template_completed(status.status)) return;
  const std::string& name = turn.variant.name;
  const auto* waiting = find(turn.of.observed.waiting, name);
  status.message = waiting != nullptr ? *waiting : std::string();
  if (const auto* failure = find(turn.of.observed.failures, name)) {
    status.status = kError;
    status.message = *failure;
  } else if (is_available(turn, status) && waiting == nullptr) {
    const bool over = has_passed(turn.spec(), turn.of.experiment.status, turn.of.now);
    status.status = over || turn.terminating ? kSuccessful : kRunning;
  } else if (turn.terminating) {
    status.status = kSuccessful;
  } else if (const Time deadline = waiting_since(turn, status) + progress_deadline(turn.spec());
             turn.of.now > deadline) {
    const auto* why = waiting != nullptr ? waiting : find(turn.of.observed.pod_problems, name);
    status.status = kFailed;
    status.message =
        fmt::format("Template '{}' exceeded its progressDeadlineSeconds ({}){}", name,
                    turn.spec().progress_deadline_seconds.value_or(kProgressDeadlineSeconds),
                    why != nullptr ? ": " + *why : "");
  } else {
    status.status = kProgressing;
    look_again(plan, deadline + std::chrono::milliseconds(1));
  }
}

void announce(const Turn& turn, const TemplateStatus& status, Plan& plan) {
  const std::string before = turn.before != nullptr ? turn.before->status : "";
  if (before == status.status) return;
  plan.happenings.push_back(
      {.warning = status.status == kFailed || status.status == kError,
       .reason = "Template" + status.status,
       .message =
           fmt::format("Template '{}' transitioned from {} -> {}{}", turn.variant.name, before,
                       status.status, status.message.empty() ? "" : ": " + status.message)});
}

void name_service(const Turn& turn, TemplateStatus& status) {
  const bool there = turn.variant.service && turn.service != nullptr && !turn.service->deleting;
  status.service_name = there ? turn.service->name : "";
  status.pod_template_hash = there && turn.replica_set != nullptr ? turn.replica_set->hash : "";
}

}  // namespace

void look_again(Plan& plan, Time at) { plan.again = plan.again ? std::min(*plan.again, at) : at; }

void decide_template(const TemplateTurn& of, const TemplateSpec& variant, Plan& plan) {
  const Turn turn = begin(of, variant);
  act(turn, plan);

  TemplateStatus status = turn.before != nullptr ? *turn.before : TemplateStatus{};
  status.name = variant.name;
  count(turn, status);
  name_service(turn, status);
  const auto second = std::chrono::floor<std::chrono::seconds>(of.now);
  if (turn.before == nullptr || !same_counters(*turn.before, status) ||
      of.observed.created.contains(variant.name) || of.observed.scaled.contains(variant.name))
    status.last_transition_time = second;
  assess(turn, status, plan);
  announce(turn, status, plan);
  plan.status.template_statuses.push_back(std::move(status));
}

void decide_leftovers(const TemplateTurn& of, Plan& plan) {
  const auto is_gone = [&](const std::string& name) {
    return std::ranges::find(of.experiment.spec.templates, name, &TemplateSpec::name) ==
           of.experiment.spec.templates.end();
  };
  for (const auto& [name, seen] : of.observed.services)
    if (is_gone(name) && !seen.deleting)
      plan.actions.emplace_back(DeleteService{.variant = name, .name = seen.name, .uid = seen.uid});
  for (const auto& [name, seen] : of.observed.replica_sets)
    if (is_gone(name) && !seen.deleting)
      plan.actions.emplace_back(
          DeleteReplicaSet{.variant = name, .name = seen.name, .uid = seen.uid});
}

}  // namespace slipway::experiment
