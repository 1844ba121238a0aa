#include "api/apply/typed_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/apply/typed_value.h"

namespace slipway::api {

namespace {

using Merged = std::optional<json::Value>;

Result<Merged> merge(const json::Value* live, const json::Value* config, const Schema* schema);

Merged leaf(const json::Value* live, const json::Value* config) {
  return config != nullptr ? Merged(*config) : Merged(*live);
}

Result<Merged> merge_maps(const json::Object* live, const json::Object* config,
                          const Schema* schema) {
  json::Object out;
  auto merge_member = [&](std::string_view key, const json::Value* a,
                          const json::Value* b) -> Result<> {
    auto merged = merge(a, b, member_type(schema, key));
    if (!merged) {
      Error error = std::move(merged).error();
      error.where = fmt::format(".{}{}", key, error.where);
      return fail(std::move(error));
    }
    if (*merged) out[key] = std::move(**merged);
    return {};
  };
  if (live != nullptr)
    for (const auto& [key, value] : *live)
      SLIPWAY_TRY(
          merge_member(key, &value, config == nullptr ? nullptr : config->if_contains(key)));
  if (config != nullptr)
    for (const auto& [key, value] : *config)
      if (live == nullptr || !live->contains(key)) SLIPWAY_TRY(merge_member(key, nullptr, &value));
  if (out.empty()) return Merged();
  return Merged(std::move(out));
}

// Merges two lists by element. Items of both come in config's order; items of live alone keep their
// place between them.
class ListMerge {
 public:
  ListMerge(const Schema& list, const json::Array* live, const json::Array* config) : list_(list) {
    if (live != nullptr) live_ = items_of(list, *live);
    if (config != nullptr) config_ = items_of(list, *config);
    for (const ListItem& item : live_) {
      auto [at, fresh] = in_live_.emplace(item.element, item.value);
      if (!fresh) at->second = &kRepeated;
    }
    for (const ListItem& item : config_) in_config_.emplace(item.element, Wanted{item.value});
    for (const ListItem& item : config_)
      if (in_live_.contains(item.element)) shared_.push_back(&item.element);
  }

  Result<Merged> run() {
    std::size_t l = 0, c = 0;
    while (l < live_.size() || c < config_.size()) {
      if (l < live_.size() && c < config_.size()) {
        const PathElement& element = live_[l].element;
        if (element == config_[c].element) {
          SLIPWAY_TRY(take(element, in_live_.at(element), &in_config_.at(element)));
          ++l, ++c;
          ++next_shared_;
          continue;
        }
        if (in_config_.contains(element) && next_shared_ < shared_.size() &&
            *shared_[next_shared_] != element) {
          ++l;  // shared, but not its turn: it comes where config has it
          continue;
        }
      }
      if (l < live_.size()) {
        const PathElement& element = live_[l].element;
        if (!in_config_.contains(element)) {
          SLIPWAY_TRY(take(element, live_[l].value, nullptr));
          ++l;
          continue;
        }
        if (in_config_.at(element).done) ++l;
      }
      if (c < config_.size()) {
        const PathElement& element = config_[c].element;
        auto found = in_live_.find(element);
        SLIPWAY_TRY(take(element, found == in_live_.end() ? nullptr : found->second,
                         &in_config_.at(element)));
        ++c;
        if (next_shared_ < shared_.size() && *shared_[next_shared_] == element) ++next_shared_;
      }
    }
    if (out_.empty()) return Merged();
    return Merged(std::move(out_));
  }

 private:
  struct Wanted {
    const json::Value* value = nullptr;
    bool done = false;
  };

  Result<> take(const PathElement& element, const json::Value* live, Wanted* wanted) {
    if (wanted != nullptr) wanted->done = true;
    auto merged = merge(live, wanted == nullptr ? nullptr : wanted->value, list_.element);
    if (!merged) {
      Error error = std::move(merged).error();
      error.where = describe(element) + error.where;
      return fail(std::move(error));
    }
    if (*merged) out_.push_back(std::move(**merged));
    return {};
  }

  // Live items that share an element are not merged with anything: they stand as null.
  static inline const json::Value kRepeated = nullptr;

  const Schema& list_;
  std::vector<ListItem> live_ = {}, config_ = {};
  std::map<PathElement, const json::Value*> in_live_ = {};
  std::map<PathElement, Wanted> in_config_ = {};
  std::vector<const PathElement*> shared_ = {};  // in both, in config's order
  std::size_t next_shared_ = 0;
  json::Array out_ = {};
};

Result<> check_elements(const Schema& list, const json::Array* array) {
  for (std::size_t i = 0; array != nullptr && i < array->size(); ++i)
    if (auto element = element_of(list, (*array)[i]); !element)
      return fail(ErrorCode::kInvalid, fmt::format("element {}: {}", i, element.error().message));
  return {};
}

Result<Merged> merge_as(Form form, const json::Value* live, const json::Value* config,
                        const Schema* schema) {
  if (form == Form::kMap && !is_atomic_map(schema) &&
      !(is_empty(object_in(live)) && is_empty(object_in(config))))
    return merge_maps(object_in(live), object_in(config), schema);
  if (form == Form::kList && !is_atomic_list(schema) &&
      !(is_empty(array_in(live)) && is_empty(array_in(config)))) {
    SLIPWAY_TRY(check_elements(*schema, array_in(config)));
    SLIPWAY_TRY(check_elements(*schema, array_in(live)));
    return ListMerge(*schema, array_in(live), array_in(config)).run();
  }
  return leaf(live, config);
}

Result<Merged> merge(const json::Value* live, const json::Value* config, const Schema* schema) {
  return merge_as(form_of(schema, config != nullptr ? config : live), live, config, schema);
}

json::Value remove(const json::Value& value, const FieldSet& set, const Schema* schema);

json::Value remove_from_map(const json::Object& object, const FieldSet& set, const Schema* schema) {
  json::Object out;
  for (const auto& [key, value] : object) {
    const FieldSet* below = set.below(PathElement::field(key));
    if (below != nullptr && below->member) continue;
    if (below != nullptr)
      out[key] = remove(value, *below, member_type(schema, key));
    else
      out[key] = value;
  }
  return out.empty() ? json::Value(nullptr) : json::Value(std::move(out));
}

json::Value remove_from_list(const json::Array& array, const FieldSet& set, const Schema& list) {
  json::Array out;
  for (const json::Value& item : array) {
    auto element = element_of(list, item);
    const FieldSet* below = element ? set.below(*element) : nullptr;
    if (below != nullptr && below->member) continue;
    out.push_back(below != nullptr ? remove(item, *below, list.element) : item);
  }
  return out.empty() ? json::Value(nullptr) : json::Value(std::move(out));
}

json::Value remove(const json::Value& value, const FieldSet& set, const Schema* schema) {
  switch (form_of(schema, &value)) {
    case Form::kScalar:
      return value;
    case Form::kList:
      if (!value.is_array() || is_atomic_list(schema)) return nullptr;
      return remove_from_list(value.get_array(), set, *schema);
    case Form::kMap:
      if (!value.is_object() || is_atomic_map(schema)) return nullptr;
      return remove_from_map(value.get_object(), set, schema);
  }
  return nullptr;
}

}  // namespace

Result<json::Object> merge_objects(const json::Object& live, const json::Object& config,
                                   const Schema* schema) {
  auto merged = merge_maps(&live, &config, schema);
  if (!merged) return std::unexpected(std::move(merged).error());
  return *merged ? std::move((*merged)->get_object()) : json::Object();
}

json::Object remove_fields(const json::Object& object, const FieldSet& set, const Schema* schema) {
  if (set.empty()) return object;
  json::Value left = remove_from_map(object, set, schema);
  return left.is_object() ? std::move(left.get_object()) : json::Object();
}

}  // namespace slipway::api
