#include "rollout/shell/gather.h"

namespace slipway::rollout {

void References::set(const store::Key& rollout, std::set<Object> objects) {
  auto known = by_rollout_.find(rollout);
  if (known == by_rollout_.end() ? objects.empty() : known->second == objects) return;
  if (known != by_rollout_.end())
    for (const Object& object : known->second) {
      const auto found = by_object_.find(object);
      if (found == by_object_.end()) continue;
      found->second.erase(rollout);
      if (found->second.empty()) by_object_.erase(found);
    }
  for (const Object& object : objects) by_object_[object].insert(rollout);
  if (objects.empty())
    by_rollout_.erase(rollout);
  else
    by_rollout_[rollout] = std::move(objects);
}

const std::set<store::Key>& References::of(const Object& object) const {
  static const std::set<store::Key> kNone;
  const auto found = by_object_.find(object);
  return found == by_object_.end() ? kNone : found->second;
}

}  // namespace slipway::rollout
