#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector.h"
#include "control/cache.h"

namespace slipway::runtime {

// Which of many objects select some labels, without asking each of them. An empty selector selects
// nothing here.
class SelectorIndex {
 public:
  void put(const store::Key& owner, api::LabelSelector selector);
  void erase(const store::Key& owner);
  // Keeps the selectors of a kind whose objects never change theirs. For as long as the cache.
  void follow(control::Cache& cache);
  // By name.
  std::vector<store::Key> selecting(const std::string& ns, const api::Labels& labels) const;

 private:
  // A requirement that an index can answer, as "namespace/key=value"; else "namespace/".
  static std::string word_of(const store::Key& owner, const api::LabelSelector& selector);

  std::map<store::Key, api::LabelSelector> selectors_;
  std::map<std::string, std::set<store::Key>> by_word_;
};

}  // namespace slipway::runtime
