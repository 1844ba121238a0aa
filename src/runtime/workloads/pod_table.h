#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/manager.h"
#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

// All Pods as the cache shows them, read once per change and shared by the controllers that count
// them: a look at a thousand Pods decodes none.
//
// Lives at least as long as the manager runs. What is returned is valid until the loop's next turn.
class PodTable {
 public:
  // Like control::Cache::Handler.
  using Listener = std::function<void(const PodView* before, const PodView* after)>;

  explicit PodTable(control::Manager& manager);
  PodTable(const PodTable&) = delete;
  PodTable& operator=(const PodTable&) = delete;

  void on_change(Listener listener) { listeners_.push_back(std::move(listener)); }

  const PodView* get(const store::Key& key) const;
  std::vector<const PodView*> controlled_by(std::string_view uid) const;
  // Those that nobody controls.
  std::vector<const PodView*> orphans(const std::string& ns,
                                      const api::LabelSelector& selector) const;
  std::vector<const PodView*> matching(const std::string& ns,
                                       const api::LabelSelector& selector) const;
  // Its document; nothing when it is gone.
  std::optional<json::Object> document_of(const PodView& pod) const;

 private:
  void change(const store::Item* before, const store::Item* after);
  std::vector<const PodView*> views_of(const std::vector<const store::Item*>& items) const;

  control::Cache& cache_;
  std::map<store::Key, PodView> pods_;
  std::map<std::string, std::set<store::Key>> orphans_;  // by namespace
  std::vector<Listener> listeners_;
};

}  // namespace slipway::runtime
