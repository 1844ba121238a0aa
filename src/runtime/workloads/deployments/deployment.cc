#include "runtime/workloads/deployments/deployment.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "runtime/workloads/conditions.h"
#include "runtime/workloads/deployments/deployment_replicas.h"
#include "runtime/workloads/deployments/deployment_revision.h"
#include "runtime/workloads/deployments/deployment_status.h"

namespace slipway::runtime {

namespace {

// One look; `sets_` is kept as it will be after what has been decided so far.
class Look {
 public:
  Look(const DeploymentView& deployment, std::vector<SetView>& sets, Time now)
      : deployment_(deployment), sets_(sets), now_(now) {
    std::ranges::sort(sets_, is_older);
    // Of several with the current template the oldest is the one.
    current_ =
        static_cast<std::size_t>(std::ranges::find(sets_, true, &SetView::current) - sets_.begin());
    for (std::size_t i = current_ + 1; i < sets_.size(); ++i) sets_[i].current = false;
    changes_.resize(sets_.size());
    plan_.status = deployment.status;
  }

  DeploymentPlan decide() {
    if (deployment_.claimant.deleting) return finish(false);
    judge_pause(deployment_, plan_.status, now_);
    if (has_current()) take_over_current();
    if (deployment_.paused) {
      resize(resize_sets(deployment_, sets_, current_));
      forget_history();
      return finish(false);
    }
    if (was_resized()) {
      resize(resize_sets(deployment_, sets_, current_));
      return finish(false);
    }
    if (deployment_.recreate)
      recreate();
    else
      roll();
    return finish(true);
  }

 private:
  bool has_current() const { return current_ < sets_.size(); }

  // Revision, annotations and minReadySeconds of the set that has the current template.
  void take_over_current() {
    SetView& set = sets_[current_];
    for (auto& [key, value] : set_annotations(deployment_, set.annotations, next_revision(sets_))) {
      if (const auto old = set.annotations.find(key);
          old != set.annotations.end() && old->second == value)
        continue;
      changes_[current_].annotations[key] = value;
      set.annotations[key] = value;
    }
    if (set.min_ready_seconds != deployment_.min_ready_seconds)
      changes_[current_].min_ready_seconds = deployment_.min_ready_seconds;
    note_revision(std::to_string(set.revision()));
    if (deployment_.deadline && !condition_in(plan_.status, "Progressing"))
      set_progressing(plan_.status, "True", "FoundNewReplicaSet",
                      fmt::format("Found new replica set \"{}\"", set.key.name), now_);
  }

  void note_revision(const std::string& revision) {
    const auto noted = deployment_.annotations.find(kRevision);
    if (noted == deployment_.annotations.end() || noted->second != revision)
      plan_.revision = revision;
  }

  bool was_resized() const {
    return std::ranges::any_of(sets_, [&](const SetView& set) {
      const auto desired = number_in(set.annotations, kDesiredReplicas);
      return set.replicas > 0 && desired && *desired != deployment_.replicas;
    });
  }

  // Whether any set is to have another size.
  bool resize(const std::vector<std::int64_t>& sizes) {
    bool any = false;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      SetView& set = sets_[i];
      const bool differs = set.replicas != sizes[i];
      if (!differs && set.replicas == 0) continue;
      Annotations wanted = set.annotations;
      note_sizes(deployment_, wanted);
      if (!differs && (wanted == set.annotations || !was_resized())) continue;
      for (const std::string_view key : {kDesiredReplicas, kMaxReplicas})
        changes_[i].annotations[std::string(key)] = wanted.at(std::string(key));
      if (differs) changes_[i].replicas = sizes[i];
      any = any || differs;
      set.replicas = sizes[i];
      set.annotations = std::move(wanted);
    }
    return any;
  }

  bool resize_one(std::size_t position, std::int64_t size) {
    std::vector<std::int64_t> sizes;
    for (const SetView& set : sets_) sizes.push_back(set.replicas);
    sizes[position] = size;
    return resize(sizes);
  }

  void make_current() {
    const std::int64_t size = new_set_replicas(deployment_, total_replicas(sets_), 0);
    const std::int64_t revision = next_revision(sets_);
    plan_.create = make_set(deployment_, size, revision);
    made_ = {.key = {deployment_.key.ns, std::string(api::name_of(*plan_.create))},
             .current = true,
             .replicas = size};
    note_revision(std::to_string(revision));
    if (deployment_.deadline)
      set_progressing(plan_.status, "True", "NewReplicaSetCreated",
                      fmt::format("Created new replica set \"{}\"", made_->key.name), now_);
  }

  void roll() {
    if (!has_current()) return make_current();
    const SetView& set = sets_[current_];
    if (set.replicas != deployment_.replicas) {
      const std::int64_t size =
          set.replicas > deployment_.replicas
              ? deployment_.replicas
              : new_set_replicas(deployment_, total_replicas(sets_), set.replicas);
      if (resize_one(current_, size)) return;
    }
    if (resize(shrink_old_sets(deployment_, sets_, current_))) return;
    if (is_complete(deployment_, deployment_.status)) forget_history();
  }

  void recreate() {
    std::vector<std::int64_t> sizes;
    for (const SetView& set : sets_) sizes.push_back(set.current ? set.replicas : 0);
    if (resize(sizes)) return;
    // Not before the last of the old Pods is gone.
    for (const SetView& set : sets_)
      if (!set.current && (set.actual > 0 || set.has_running_pods)) return;
    if (!has_current()) return make_current();
    resize_one(current_, deployment_.replicas);
    if (is_complete(deployment_, deployment_.status)) forget_history();
  }

  void forget_history() {
    if (!deployment_.history) return;
    std::vector<std::size_t> old;
    for (std::size_t i = 0; i < sets_.size(); ++i)
      if (!sets_[i].current && !sets_[i].deleting) old.push_back(i);
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(*deployment_.history, 0));
    if (old.size() <= kept) return;
    std::ranges::sort(old, {}, [&](std::size_t i) { return std::pair(sets_[i].revision(), i); });
    old.resize(old.size() - kept);
    for (const std::size_t i : old) {
      const SetView& set = sets_[i];
      if (set.actual == 0 && set.replicas == 0 && set.generation <= set.observed)
        plan_.remove.push_back(i);
    }
  }

  DeploymentPlan finish(bool updating) {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      changes_[i].set = i;
      if (changes_[i].replicas || changes_[i].min_ready_seconds || !changes_[i].annotations.empty())
        plan_.change.push_back(std::move(changes_[i]));
    }
    // From here on the status counts from what was just decided of it.
    DeploymentView seen = deployment_;
    seen.status = std::move(plan_.status);
    std::vector<SetView> all = sets_;
    if (made_) all.push_back(*made_);
    plan_.status = count_deployment(seen, all, now_);
    if (updating)
      judge_progress(seen, all,
                     made_           ? made_->key.name
                     : has_current() ? sets_[current_].key.name
                                     : "",
                     plan_.status, now_);
    plan_.again = until_deadline(seen, plan_.status, now_);
    return std::move(plan_);
  }

  const DeploymentView& deployment_;
  std::vector<SetView>& sets_;
  Time now_;
  std::size_t current_ = 0;
  std::optional<SetView> made_;
  std::vector<SetChange> changes_;
  DeploymentPlan plan_;
};

}  // namespace

DeploymentPlan decide_deployment(const DeploymentView& deployment, std::vector<SetView>& sets,
                                 Time now) {
  return Look(deployment, sets, now).decide();
}

}  // namespace slipway::runtime
