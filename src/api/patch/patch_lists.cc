#include "api/patch/patch_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

// -1 when no item has that key. An item without the key is found by others without it.
std::ptrdiff_t index_of(const json::Array& items, const json::Value& wanted,
                        const std::string& merge_key) {
  const json::Value* key = key_in(wanted, merge_key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const json::Value* other = key_in(items[i], merge_key);
    if (key == nullptr ? other == nullptr : other != nullptr && is_same(*key, *other))
      return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

Result<std::ptrdiff_t> find_by_key(const json::Array& items, const std::string& merge_key,
                                   const json::Value& key) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_object())
      return fail(ErrorCode::kInternal, fmt::format("value for key {} is not a map", i));
    const json::Value* other = items[i].get_object().if_contains(merge_key);
    if (other != nullptr && is_same(*other, key)) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
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
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    for (std::size_t j = i + 1; j < items.size();) {
      if (!is_same(items[i], items[j])) {
        ++j;
        continue;
      }
      if (j + 1 < items.size()) items[j] = items.back();
      items.pop_back();
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

void sort_like(json::Array& items, const json::Array& order, const std::string& merge_key) {
  std::multimap<std::ptrdiff_t, json::Value> ranked;  // keeps the order of equal ranks
  for (json::Value& item : items) {
    std::ptrdiff_t rank = index_of(order, item, merge_key);
    ranked.emplace(rank, std::move(item));
  }
  items.clear();
  for (auto& [rank, item] : ranked) items.push_back(std::move(item));
}

// Items of the patch in its order; server-only items go before the first patch item that the live
// list has behind them.
json::Array interleave(json::Array server_only, json::Array patched, const json::Array& live,
                       const std::string& merge_key) {
  json::Array out;
  std::size_t i = 0, j = 0;
  while (i < server_only.size() || j < patched.size()) {
    bool take_server = j == patched.size();
    if (i < server_only.size() && j < patched.size()) {
      std::ptrdiff_t left = index_of(live, server_only[i], merge_key);
      std::ptrdiff_t right = index_of(live, patched[j], merge_key);
      take_server = left >= 0 && right >= 0 && left < right;
    }
    out.push_back(std::move(take_server ? server_only[i++] : patched[j++]));
  }
  return out;
}

Result<json::Array> arrange(json::Array merged, const json::Array& order, const json::Array& live,
                            const std::string& merge_key, bool maps) {
  if (!merge_key.empty()) SLIPWAY_TRY(need_keys(merged, merge_key));
  json::Array patched, server_only;
  for (json::Value& item : merged) {
    bool named = false;
    if (merge_key.empty()) {
      named = index_of(order, item, merge_key) >= 0;
    } else {
      auto found = find_by_key(order, merge_key, item.get_object().at(merge_key));
      if (!found) return std::unexpected(std::move(found).error());
      named = *found >= 0;
    }
    (named ? patched : server_only).push_back(std::move(item));
  }
  if (maps) {
    SLIPWAY_TRY(need_keys(order, merge_key));
    SLIPWAY_TRY(need_keys(live, merge_key));
  }
  sort_like(patched, order, merge_key);
  sort_like(server_only, live, merge_key);
  return interleave(std::move(server_only), std::move(patched), live, merge_key);
}

// Carries out the items that are orders, not content: $patch: delete and replace.
Result<> obey_directives(json::Array& live, json::Array& patch, const std::string& merge_key) {
  json::Array plain;
  bool replace = false;
  for (json::Value& item : patch) {
    const json::Value* directive = item.get_object().if_contains(kPatchMarker);
    if (directive == nullptr) {
      plain.push_back(std::move(item));
    } else if (*directive == "delete") {
      const json::Value* key = item.get_object().if_contains(merge_key);
      if (key == nullptr) return fail(no_merge_key(item, merge_key));
      for (auto found = find_by_key(live, merge_key, *key); !found || *found >= 0;
           found = find_by_key(live, merge_key, *key)) {
        if (!found) return std::unexpected(std::move(found).error());
        live.erase(live.begin() + *found);
      }
    } else if (*directive == "replace") {
      replace = true;
    } else if (*directive == "merge") {
      return fail(ErrorCode::kInternal, "merging lists cannot yet be specified in the patch");
    } else {
      return fail(bad_directive(*directive, item.get_object()));
    }
  }
  patch = std::move(plain);
  if (replace) {
    live = std::move(patch);
    patch = json::Array();
  }
  return {};
}

Result<json::Array> merge_maps(json::Array live, const json::Array& patch, const PatchMeta& meta) {
  for (const json::Value& item : patch) {
    const json::Value* key = item.get_object().if_contains(meta.merge_key);
    if (key == nullptr) return fail(no_merge_key(item, meta.merge_key));
    auto found = find_by_key(live, meta.merge_key, *key);
    if (!found) return std::unexpected(std::move(found).error());
    if (*found < 0) {
      live.push_back(item);
      continue;
    }
    json::Value& here = live[static_cast<std::size_t>(*found)];
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
    json::Array out;
    if (deletes) {
      for (const json::Value& item : live)
        if (index_of(patch, item, {}) < 0) out.push_back(item);
      return out;
    }
    out = live;
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
