#include <fmt/format.h>

#include <unordered_set>

#include "api/patch/drop_nulls.h"
#include "api/patch/patch.h"
#include "api/patch/patch_lists.h"
#include "api/patch/patch_meta.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList";
constexpr std::string_view kOrder = "$setElementOrder";
constexpr std::string_view kRetainKeys = "$retainKeys";

std::unexpected<Error> malformed(std::string_view what) {
  return fail(ErrorCode::kBadRequest, fmt::format("invalid patch format of {}", what));
}

// "$setElementOrder/env" -> "env".
Result<std::string> directed_key(std::string_view key, std::string_view directive,
                                 std::string_view what) {
  if (!key.substr(directive.size()).starts_with('/')) return malformed(what);
  return std::string(key.substr(directive.size() + 1));
}

// A value that is new to the document: maps that carry a $patch are orders, not content.
bool drop_directives(json::Value& value) {
  if (value.is_object()) {
    if (value.get_object().contains(kPatchMarker)) return false;
    json::Object kept;
    for (auto& [key, member] : value.get_object())
      if (drop_directives(member)) kept.emplace(key, std::move(member));
    value = std::move(kept);
  } else if (value.is_array()) {
    json::Array kept;
    for (json::Value& item : value.get_array())
      if (drop_directives(item)) kept.push_back(std::move(item));
    value = std::move(kept);
  }
  return true;
}

void put_new(json::Object& document, std::string_view key, json::Value value) {
  drop_nulls(value);
  if (drop_directives(value))
    document[key] = std::move(value);
  else
    json::erase(document, key);
}

// $retainKeys: [a, b] clears everything else, and the patch may hold nothing else.
Result<> retain_keys(json::Object& document, json::Object& patch) {
  const json::Value* directive = patch.if_contains(kRetainKeys);
  if (directive == nullptr) return {};
  json::Value keys = *directive;
  json::erase(patch, kRetainKeys);
  if (!keys.is_array()) return malformed("retainKeys");
  std::unordered_set<std::string_view> names;  // in `keys`
  for (const json::Value& one : keys.get_array())
    if (one.is_string()) names.insert(std::string_view(one.get_string()));
  auto retained = [&](std::string_view key) { return names.contains(key); };
  for (const auto& [key, value] : patch)
    if (!value.is_null() && !key.starts_with(kDeleteFrom) && !key.starts_with(kOrder) &&
        !retained(key))
      return malformed("retainKeys");
  json::Object kept;
  for (auto& [key, value] : document)
    if (retained(key)) kept.emplace(key, std::move(value));
  document = std::move(kept);
  return {};
}

// One $setElementOrder/x with the list x it orders; both leave the patch.
Result<> merge_ordered(json::Object& document, json::Object& patch, std::string_view directive,
                       const Schema* schema) {
  json::Value order = patch.at(directive);
  auto key = directed_key(directive, kOrder, "setElementOrder list");
  json::erase(patch, directive);
  if (!order.is_array()) return fail(bad_argument("[]interface {}", order));
  if (!key) return std::unexpected(std::move(key).error());

  json::Value* here = document.if_contains(*key);
  json::Value* wanted = patch.if_contains(*key);
  if (here != nullptr && !here->is_array()) return fail(bad_argument("[]interface {}", *here));
  if (wanted != nullptr && !wanted->is_array())
    return fail(bad_argument("[]interface {}", *wanted));
  auto meta = list_meta(schema, *key);
  if (!meta) return std::unexpected(std::move(meta).error());
  json::Array patch_list = wanted == nullptr ? json::Array() : wanted->get_array();
  SLIPWAY_TRY(check_order(patch_list, order.get_array(), meta->merge_key));
  if (here == nullptr && wanted == nullptr) return {};

  json::Array live = here == nullptr ? json::Array() : here->get_array();
  json::Array merged = live;
  json::Array order_after = live;
  if (here == nullptr) {
    drop_directives(*wanted);
    merged = wanted->get_array();
  } else if (wanted != nullptr) {
    auto both = merge_list(live, patch_list, *meta, false, &order_after);
    if (!both) return std::unexpected(std::move(both).error());
    merged = std::move(*both);
  }
  auto ordered =
      order_list(std::move(merged), order.get_array(), order_after, patch_list, meta->merge_key);
  if (!ordered) return std::unexpected(std::move(ordered).error());
  document[*key] = std::move(*ordered);
  json::erase(patch, *key);
  return {};
}

Result<> merge_orders(json::Object& document, json::Object& patch, const Schema* schema) {
  std::vector<std::string> directives;
  for (const auto& member : patch)
    if (member.key().starts_with(kOrder)) directives.emplace_back(member.key());
  for (const std::string& directive : directives)
    SLIPWAY_TRY(merge_ordered(document, patch, directive, schema));
  return {};
}

// Go compares types: numbers with a fraction and without are two.
bool same_type(const json::Value& a, const json::Value& b) { return go_type(a) == go_type(b); }

Result<> merge_member(json::Object& document, std::string_view key, json::Value value, bool deletes,
                      const Schema* schema) {
  if (value.is_null()) {
    json::erase(document, key);
    return {};
  }
  json::Value* here = document.if_contains(key);
  if (here == nullptr && value.is_object() && is_plain_struct(schema, key))
    here = &(document[key] = json::Object());
  if (here == nullptr || !same_type(*here, value)) {
    if (!deletes) put_new(document, key, std::move(value));
    return {};
  }
  if (value.is_object()) {
    auto meta = map_meta(schema, key);
    if (!meta) return std::unexpected(std::move(meta).error());
    if (meta->replace) {
      *here = std::move(value);
      return {};
    }
    auto merged =
        merge_map(std::move(here->get_object()), std::move(value.get_object()), meta->type);
    if (!merged) return std::unexpected(std::move(merged).error());
    *here = std::move(*merged);
    return {};
  }
  if (value.is_array()) {
    auto meta = list_meta(schema, key);
    if (!meta) return std::unexpected(std::move(meta).error());
    auto merged = merge_list(here->get_array(), value.get_array(), *meta, deletes);
    if (!merged) return std::unexpected(std::move(merged).error());
    *here = std::move(*merged);
    return {};
  }
  *here = std::move(value);
  return {};
}

}  // namespace

Result<json::Object> merge_map(json::Object document, json::Object patch, const Schema* schema) {
  if (const json::Value* directive = patch.if_contains(kPatchMarker)) {
    if (*directive == "delete") return json::Object();
    if (*directive != "replace") return fail(bad_directive(*directive, patch));
    json::erase(patch, kPatchMarker);
    return patch;
  }
  SLIPWAY_TRY(retain_keys(document, patch));
  SLIPWAY_TRY(merge_orders(document, patch, schema));
  for (auto& [key, value] : patch) {
    if (!key.starts_with(kDeleteFrom)) {
      SLIPWAY_TRY(merge_member(document, key, std::move(value), false, schema));
      continue;
    }
    auto target = directed_key(key, kDeleteFrom, "primitive list");
    if (!target) return std::unexpected(std::move(target).error());
    SLIPWAY_TRY(merge_member(document, *target, std::move(value), true, schema));
  }
  return document;
}

Result<json::Value> strategic_merge_patch(json::Value document, const json::Value& patch,
                                          const Schema& schema) {
  if (patch.is_null()) return document;
  if (!patch.is_object())
    return fail(
        ErrorCode::kBadRequest,
        fmt::format("json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    json_type(patch)));
  if (!document.is_object()) document = json::Object();
  auto merged = merge_map(std::move(document.get_object()), patch.get_object(), &schema);
  if (!merged) return std::unexpected(std::move(merged).error());
  return json::Value(std::move(*merged));
}

}  // namespace slipway::api
