#include "runtime/workloads/pod_table.h"

#include "store/decode.h"

namespace slipway::runtime {

PodTable::PodTable(control::Manager& manager) : cache_(manager.cache(kPods)) {
  cache_.on_change(
      [this](const store::Item* before, const store::Item* after) { change(before, after); });
}

void PodTable::change(const store::Item* before, const store::Item* after) {
  const store::Key& key = (after ? after : before)->key;
  auto old = pods_.extract(key);
  if (!old.empty()) {
    if (const auto orphans = orphans_.find(key.ns); orphans != orphans_.end()) {
      orphans->second.erase(key);
      if (orphans->second.empty()) orphans_.erase(orphans);
    }
  }
  const PodView* now = nullptr;
  if (after) {
    const auto document = store::decode(*after);
    SLIPWAY_ASSERT(document);  // the cache passes over what cannot be read
    now = &pods_.emplace(key, view_pod(*after, *document)).first->second;
    if (now->controller_uid.empty()) orphans_[key.ns].insert(key);
  }
  for (const Listener& listener : listeners_) listener(old.empty() ? nullptr : &old.mapped(), now);
}

const PodView* PodTable::get(const store::Key& key) const {
  const auto found = pods_.find(key);
  return found == pods_.end() ? nullptr : &found->second;
}

std::vector<const PodView*> PodTable::views_of(const std::vector<const store::Item*>& items) const {
  std::vector<const PodView*> views;
  views.reserve(items.size());
  for (const store::Item* item : items)
    if (const PodView* view = get(item->key)) views.push_back(view);
  return views;
}

std::vector<const PodView*> PodTable::controlled_by(std::string_view uid) const {
  auto views = views_of(cache_.owned_by(uid));
  std::erase_if(views, [&](const PodView* view) { return view->controller_uid != uid; });
  return views;
}

std::vector<const PodView*> PodTable::orphans(const std::string& ns,
                                              const api::LabelSelector& selector) const {
  std::vector<const PodView*> found;
  if (const auto keys = orphans_.find(ns); keys != orphans_.end())
    for (const store::Key& key : keys->second)
      if (const PodView& view = pods_.at(key); selector.matches(view.labels))
        found.push_back(&view);
  return found;
}

std::vector<const PodView*> PodTable::matching(const std::string& ns,
                                               const api::LabelSelector& selector) const {
  return views_of(cache_.list(ns, selector));
}

std::optional<json::Object> PodTable::document_of(const PodView& pod) const {
  const store::Item* item = cache_.get(pod.key);
  auto document = item ? store::decode(*item) : Result<json::Object>(std::unexpect, Error{});
  return document ? std::optional(std::move(*document)) : std::nullopt;
}

}  // namespace slipway::runtime
