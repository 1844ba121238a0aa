#include "runtime/workloads/selector_index.h"

#include <algorithm>

#include "runtime/workloads/claims.h"
#include "store/decode.h"

namespace slipway::runtime {

namespace {

std::string word(const std::string& ns, const std::string& key, const std::string& value) {
  return ns + "/" + key + "=" + value;
}

}  // namespace

// Of several equalities the longest: hashes and uids tell more apart than "app=web".
std::string SelectorIndex::word_of(const store::Key& owner, const api::LabelSelector& selector) {
  std::string best;
  for (const api::Requirement& wanted : selector.requirements) {
    const bool equal =
        wanted.op == api::Requirement::Op::kEquals || wanted.op == api::Requirement::Op::kIn;
    if (!equal || wanted.values.size() != 1) continue;
    std::string candidate = word(owner.ns, wanted.key, wanted.values.front());
    if (candidate.size() > best.size()) best = std::move(candidate);
  }
  return best.empty() ? owner.ns + "/" : best;
}

void SelectorIndex::put(const store::Key& owner, api::LabelSelector selector) {
  erase(owner);
  if (selector.nothing || selector.empty()) return;
  by_word_[word_of(owner, selector)].insert(owner);
  selectors_.emplace(owner, std::move(selector));
}

void SelectorIndex::erase(const store::Key& owner) {
  const auto known = selectors_.find(owner);
  if (known == selectors_.end()) return;
  const auto indexed = by_word_.find(word_of(owner, known->second));
  indexed->second.erase(owner);
  if (indexed->second.empty()) by_word_.erase(indexed);
  selectors_.erase(known);
}

void SelectorIndex::follow(control::Cache& cache) {
  cache.on_change([this](const store::Item* before, const store::Item* after) {
    if (!after) return erase(before->key);
    if (before) return;
    const auto document = store::decode(*after);
    if (!document) return;
    if (auto claimant = view_claimant(*document)) put(after->key, std::move(claimant->selector));
  });
}

std::vector<store::Key> SelectorIndex::selecting(const std::string& ns,
                                                 const api::Labels& labels) const {
  std::vector<store::Key> found;
  const auto look = [&](const std::string& under) {
    const auto indexed = by_word_.find(under);
    if (indexed == by_word_.end()) return;
    for (const store::Key& owner : indexed->second)
      if (selectors_.at(owner).matches(labels)) found.push_back(owner);
  };
  for (const auto& [key, value] : labels) look(word(ns, key, value));
  look(ns + "/");
  std::ranges::sort(found);
  return found;
}

}  // namespace slipway::runtime
