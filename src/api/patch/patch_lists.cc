#include "api/patch/patch_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

const json::Value* key_in(const json::Value& item, const std::string& merge_key) {
  if (merge_key.empty()) return &item;
  return item.is_object() ? item.get_object().if_contains(merge_key) : nullptr;
}

// As Go compares interface values: the type counts.
bool is_same(const json::Value& a, const json::Value& b) {
  return go_type(a) == go_type(b) && a == b;
}

// Finds the items of a list by their merge key, or by themselves when there is none.
class KeyIndex {
 public:
  // The list must not move; tell of items appended to it with add().
  KeyIndex(const json::Array& items, const std::string& merge_key)
      : items_(items), merge_key_(merge_key) {
    for (std::size_t i = 0; i < items.size(); ++i) add(i);
  }

  void add(std::size_t index) {
    const json::Value* key = key_in(items_[index], merge_key_);
    if (find(key) >= 0) return;
    if (key != nullptr)
      by_hash_.emplace(std::hash<json::Value>()(*key), index);
    else
      without_key_ = static_cast<std::ptrdiff_t>(index);
  }

  // The first item with that key; -1 when there is none. What has no key is found by others
  // without.
  std::ptrdiff_t find(const json::Value* key) const {
    if (key == nullptr) return without_key_;
    const auto [begin, end] = by_hash_.equal_range(std::hash<json::Value>()(*key));
    for (auto at = begin; at != end; ++at)
      if (is_same(*key_in(items_[at->second], merge_key_), *key))
        return static_cast<std::ptrdiff_t>(at->second);
    return -1;
  }
  std::ptrdiff_t find_like(const json::Value& item) const { return find(key_in(item, merge_key_)); }

 private:
  const json::Array& items_;
  const std::string& merge_key_;
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::ptrdiff_t without_key_ = -1;
};

Result<> need_maps(const json::Array& items) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!items[i].is_object())
      return fail(ErrorCode::kInternal, fmt::format("value for key {} is not a map", i));
  return {};
}

// Are all items of both lists maps? Errors for lists of lists and mixed lists.
Result<bool> holds_maps(const json::Array& a, const json::Array& b) {
  const json::Value* first = nullptr;
  for (const json::Array* list : {&a, &b}) {
    for (const json::Value& item : *list) {
      if (first == nullptr) first = &item;
      if (first->is_array())
        return fail(ErrorCode::kInvalid,
                    "the server rejected our request due to an error in our request");
      if (go_type(*first) != go_type(item))
        return fail(
            ErrorCode::kInternal,
            fmt::format("list element types are not identical: [{} {}]", go_plain(a), go_plain(b)));
    }
  }
  if (first == nullptr) return fail(ErrorCode::kInternal, "no elements in any of the given slices");
  return first->is_object();
}

// Keeps the first of equal scalars; the last item moves into each gap, as upstream does it.
void deduplicate(json::Array& items) {
  std::vector<std::ptrdiff_t> kinds;  // of each item: where its like stood first
  std::map<std::ptrdiff_t, std::set<std::size_t>> places;
  {
    const std::string whole;
    const KeyIndex index(items, whole);
    for (const json::Value& item : items) {
      kinds.push_back(index.find_like(item));
      places[kinds.back()].insert(kinds.size() - 1);
    }
  }
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    auto& alike = places[kinds[i]];
    for (auto next = alike.upper_bound(i); next != alike.end(); next = alike.upper_bound(i)) {
      const std::size_t gap = *next, last = items.size() - 1;
      alike.erase(next);
      if (gap != last) {
        items[gap] = std::move(items[last]);
        kinds[gap] = kinds[last];
        places[kinds[gap]].erase(last);
        places[kinds[gap]].insert(gap);
      }
      items.pop_back();
      kinds.pop_back();
    }
  }
}

Result<> need_key(const json::Value& item, const std::string& merge_key) {
  if (!item.is_object()) return fail(bad_argument("map[string]interface {}", item));
  if (!item.get_object().contains(merge_key)) return fail(no_merge_key(item, merge_key));
  return {};
}

Result<> need_keys(const json::Array& items, const std::string& merge_key) {
  for (const json::Value& item : items) SLIPWAY_TRY(need_key(item, merge_key));
  return {};
}

void sort_like(json::Array& items, const KeyIndex& order) {
  std::multimap<std::ptrdiff_t, json::Value> ranked;  // keeps the order of equal ranks
  for (json::Value& item : items) {
    std::ptrdiff_t rank = order.find_like(item);
    ranked.emplace(rank, std::move(item));
  }
  items.clear();
  for (auto& [rank, item] : ranked) items.push_back(std::move(item));
}

// Items of the patch in its order; server-only items go before the first patch item that the live
// list has behind them.
json::Array interleave(json::Array server_only, json::Array patched, const KeyIndex& live) {
  json::Array out;
  std::size_t i = 0, j = 0;
  while (i < server_only.size() || j < patched.size()) {
    bool take_server = j == patched.size();
    if (i < server_only.size() && j < patched.size()) {
      std::ptrdiff_t left = live.find_like(server_only[i]);
      std::ptrdiff_t right = live.find_like(patched[j]);
      take_server = left >= 0 && right >= 0 && left < right;
    }
    out.push_back(std::move(take_server ? server_only[i++] : patched[j++]));
  }
  return out;
}

Result<json::Array> arrange(json::Array merged, const json::Array& order, const json::Array& live,
                            const std::string& merge_key, bool maps) {
  if (!merge_key.empty()) SLIPWAY_TRY(need_keys(merged, merge_key));
  if (!merge_key.empty() && !merged.empty()) SLIPWAY_TRY(need_maps(order));
  const KeyIndex in_order(order, merge_key), in_live(live, merge_key);
  json::Array patched, server_only;
  for (json::Value& item : merged) {
    const bool named = in_order.find_like(item) >= 0;
    (named ? patched : server_only).push_back(std::move(item));
  }
  if (maps) {
    SLIPWAY_TRY(need_keys(order, merge_key));
    SLIPWAY_TRY(need_keys(live, merge_key));
  }
  sort_like(patched, in_order);
  sort_like(server_only, in_live);
  return interleave(std::move(server_only), std::move(patched), in_live);
}

void remove_all(json::Array& items, const std::string& merge_key, const json::Array& keys) {
  const std::string whole;
  const KeyIndex doomed(keys, whole);
  json::Array kept;
  for (json::Value& item : items) {
    const json::Value* key = key_in(item, merge_key);
    if (key == nullptr || doomed.find(key) < 0) kept.push_back(std::move(item));
  }
  items = std::move(kept);
}

// Carries out the items that are orders, not content: $patch: delete and replace.
Result<> obey_directives(json::Array& live, json::Array& patch, const std::string& merge_key) {
  json::Array plain, doomed;
  bool replace = false;
  for (json::Value& item : patch) {
    const json::Value* directive = item.get_object().if_contains(kPatchMarker);
    if (directive == nullptr) {
      plain.push_back(std::move(item));
    } else if (*directive == "delete") {
      const json::Value* key = item.get_object().if_contains(merge_key);
      if (key == nullptr) return fail(no_merge_key(item, merge_key));
      SLIPWAY_TRY(need_maps(live));
      doomed.push_back(*key);
    } else if (*directive == "replace") {
      replace = true;
    } else if (*directive == "merge") {
      return fail(ErrorCode::kInternal, "merging lists cannot yet be specified in the patch");
    } else {
      return fail(bad_directive(*directive, item.get_object()));
    }
  }
  patch = std::move(plain);
  remove_all(live, merge_key, doomed);
  if (replace) {
    live = std::move(patch);
    patch = json::Array();
  }
  return {};
}

Result<json::Array> merge_maps(json::Array live, const json::Array& patch, const PatchMeta& meta) {
  if (!patch.empty()) SLIPWAY_TRY(need_maps(live));
  KeyIndex index(live, meta.merge_key);
  for (const json::Value& item : patch) {
    const json::Value* key = item.get_object().if_contains(meta.merge_key);
    if (key == nullptr) return fail(no_merge_key(item, meta.merge_key));
    const std::ptrdiff_t found = index.find(key);
    if (found < 0) {
      live.push_back(item);
      index.add(live.size() - 1);
      continue;
    }
    json::Value& here = live[static_cast<std::size_t>(found)];
    auto merged = merge_map(std::move(here.get_object()), item.get_object(), meta.type);
    if (!merged) return std::unexpected(std::move(merged).error());
    here = std::move(*merged);
  }
  return live;
}

json::Array order_in_place(const json::Array& live, const json::Array& kept,
                           const json::Array& merged) {
  if (kept.size() >= live.size()) return live;
  std::size_t shown = std::min(live.size(), merged.size());
  json::Array order = kept;
  for (std::size_t i = kept.size(); i < shown; ++i) order.push_back(merged[i]);
  return order;
}

}  // namespace

Result<json::Array> merge_list(const json::Array& live, const json::Array& patch,
                               const PatchMeta& meta, bool deletes, json::Array* order_after) {
  if (!meta.merge && !deletes) return patch;
  if (live.empty() && patch.empty()) return live;
  auto maps = holds_maps(live, patch);
  if (!maps) return std::unexpected(std::move(maps).error());
  if (!*maps) {
    json::Array out = live;
    if (deletes) {
      remove_all(out, {}, patch);
      return out;
    }
    out.insert(out.end(), patch.begin(), patch.end());
    deduplicate(out);
    return arrange(std::move(out), patch, live, meta.merge_key, false);
  }
  if (meta.merge_key.empty())
    return fail(ErrorCode::kInternal, "cannot merge lists without merge key for struct");
  json::Array here = live;
  json::Array wanted = patch;
  SLIPWAY_TRY(obey_directives(here, wanted, meta.merge_key));
  auto merged = merge_maps(here, wanted, meta);
  if (!merged) return merged;
  if (order_after != nullptr) *order_after = order_in_place(live, here, *merged);
  return arrange(std::move(*merged), wanted, here, meta.merge_key, true);
}

Result<> check_order(const json::Array& patch, const json::Array& order,
                     const std::string& merge_key) {
  if (order.empty() || patch.empty()) return {};
  json::Array kept;
  for (const json::Value& item : patch) {
    if (merge_key.empty()) {
      kept.push_back(item);
      continue;
    }
    if (!item.is_object()) return fail(bad_argument("map[string]interface {}", item));
    const json::Value* directive = item.get_object().if_contains(kPatchMarker);
    if (directive == nullptr || *directive != "delete") kept.push_back(item);
  }
  std::size_t i = 0, j = 0;
  while (i < kept.size() && j < order.size()) {
    if (kept[i].is_object() && kept[i].get_object().contains(kPatchMarker)) {
      ++i;
      continue;
    }
    if (!merge_key.empty()) {
      SLIPWAY_TRY(need_key(kept[i], merge_key));
      SLIPWAY_TRY(need_key(order[j], merge_key));
    }
    if (is_same(*key_in(kept[i], merge_key), *key_in(order[j], merge_key))) ++i;
    ++j;
  }
  if (i < kept.size() && j >= order.size())
    return fail(
        ErrorCode::kInternal,
        fmt::format("The order in patch list:\n{}\n doesn't match $setElementOrder list:\n{}\n",
                    go_plain(patch), go_plain(order)));
  return {};
}

Result<json::Array> order_list(json::Array merged, const json::Array& order,
                               const json::Array& live, const json::Array& patch,
                               const std::string& merge_key) {
  auto maps = holds_maps(live, patch);
  if (!maps) return std::unexpected(std::move(maps).error());
  return arrange(std::move(merged), order, live, merge_key, *maps);
}

}  // namespace slipway::api
