#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/patch/patch.h"
#include "api/wire/go_format.h"
#include "base/json_depth.h"

namespace slipway::api {

namespace {

// The API server has one text for every operation that does not apply, whatever the reason.
std::unexpected<Error> refused() {
  return fail(ErrorCode::kInvalid,
              "the server rejected our request due to an error in our request");
}

// One segment of a JSON pointer. In the order of a single pass: ~01 is ~1, not /.
std::string unescaped(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    char next = i + 1 < segment.size() ? segment[i + 1] : '\0';
    if (segment[i] == '~' && (next == '0' || next == '1')) {
      out += next == '0' ? '~' : '/';
      ++i;
    } else {
      out += segment[i];
    }
  }
  return out;
}

// As strconv.Atoi reads it.
std::optional<std::int64_t> index_in(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t index = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return index;
}

// An index below `size`; negative ones count from the end.
std::optional<std::size_t> place_in(std::size_t size, std::string_view key) {
  auto index = index_in(key);
  auto count = static_cast<std::int64_t>(size);
  if (!index || *index >= count || *index < -count) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + count : *index);
}

// The container a path leads into, and the key inside it.
struct Spot {
  json::Value* container = nullptr;
  std::string key = {};
};

Spot find(json::Value& document, std::string_view path) {
  if (path.find('/') == std::string_view::npos) return {};
  path.remove_prefix(path.find('/') + 1);
  json::Value* here = &document;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    std::string key = unescaped(path.substr(0, slash));
    path.remove_prefix(slash + 1);
    json::Value* next = nullptr;
    if (here->is_object()) {
      next = here->get_object().if_contains(key);
    } else if (auto place = place_in(here->get_array().size(), key)) {
      next = &here->get_array()[*place];
    }
    if (next == nullptr || !next->is_structured()) return {};
    here = next;
  }
  return {here, unescaped(path)};
}

// Steps that operations may take, all together. What a list has behind the changed place moves by
// one, so that a short patch of a long list could otherwise take very long.
class Budget {
 public:
  bool exceeded() const { return left_ < 0; }
  void charge(std::size_t steps) { left_ -= static_cast<std::int64_t>(steps); }

  // Whether the value nests no deeper than `levels`; looking at it is charged.
  bool allows(const json::Value& value, std::size_t levels) {
    charge(kLook);
    if (!value.is_structured()) return true;
    if (levels == 0 || exceeded()) return false;
    if (const auto* array = value.if_array())
      return std::ranges::all_of(*array,
                                 [&](const auto& each) { return allows(each, levels - 1); });
    return std::ranges::all_of(value.get_object(),
                               [&](const auto& pair) { return allows(pair.value(), levels - 1); });
  }

  // Beside the move of one element of a list.
  static constexpr std::size_t kLook = 4;

 private:
  std::int64_t left_ = kMaxPatchSteps;
};

bool add(const Spot& spot, json::Value value, Budget& budget) {
  if (spot.container->is_object()) {
    spot.container->get_object()[spot.key] = std::move(value);
    return true;
  }
  json::Array& array = spot.container->get_array();
  if (spot.key == "-") {
    array.push_back(std::move(value));
    return true;
  }
  auto place = place_in(array.size() + 1, spot.key);
  if (!place) return false;
  budget.charge(array.size() - *place);
  if (budget.exceeded()) return false;
  array.insert(array.begin() + static_cast<std::ptrdiff_t>(*place), std::move(value));
  return true;
}

// Takes the value out. Nothing when it is not there.
std::optional<json::Value> take(const Spot& spot, Budget& budget) {
  if (spot.container->is_object()) {
    json::Object& object = spot.container->get_object();
    json::Value* found = object.if_contains(spot.key);
    if (found == nullptr) return std::nullopt;
    json::Value value = std::move(*found);
    json::erase(object, spot.key);
    return value;
  }
  json::Array& array = spot.container->get_array();
  auto place = place_in(array.size(), spot.key);
  if (!place) return std::nullopt;
  budget.charge(array.size() - *place);
  if (budget.exceeded()) return std::nullopt;
  json::Value value = std::move(array[*place]);
  array.erase(array.begin() + static_cast<std::ptrdiff_t>(*place));
  return value;
}

// Null for a missing key of an object, nothing for a bad index of an array.
std::optional<json::Value> get(const Spot& spot) {
  if (spot.container->is_object()) {
    const json::Value* value = spot.container->get_object().if_contains(spot.key);
    return value == nullptr ? json::Value(nullptr) : *value;
  }
  json::Array& array = spot.container->get_array();
  auto place = place_in(array.size(), spot.key);
  return place ? std::optional(array[*place]) : std::nullopt;
}

bool replace(const Spot& spot, json::Value value, Budget& budget) {
  if (spot.container->is_object()) return add(spot, std::move(value), budget);
  json::Array& array = spot.container->get_array();
  auto place = place_in(array.size(), spot.key);
  if (place) array[*place] = std::move(value);
  return place.has_value();
}

// Numbers are equal when they are written alike: 1 and 1.0 differ.
bool is_equal(const json::Value& a, const json::Value& b) {
  if (a.is_array() && b.is_array()) {
    const json::Array &left = a.get_array(), &right = b.get_array();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), is_equal);
  }
  if (!a.is_object() || !b.is_object()) return a.is_double() == b.is_double() && a == b;
  if (a.get_object().size() != b.get_object().size()) return false;
  for (const auto& [key, value] : a.get_object()) {
    const json::Value* other = b.get_object().if_contains(key);
    if (other == nullptr || !is_equal(value, *other)) return false;
  }
  return true;
}

class Patcher {
 public:
  explicit Patcher(json::Value& document) : document_(document) {}

  // The operations so far were more work than a patch may be.
  bool exhausted() const { return budget_.exceeded(); }

  bool apply(const json::Object& operation) {
    std::string_view op = text(operation, "op").value_or("unknown");
    if (op == "move" || op == "copy") return transfer(operation, op == "move");
    auto path = text(operation, "path");
    if (!path) return false;
    const json::Value* given = operation.if_contains("value");
    json::Value value = given == nullptr ? json::Value(nullptr) : *given;
    if (path->empty() &&
        op == "replace") {  // of a scalar: upstream changes nothing and says nothing
      if (value.is_structured()) document_ = std::move(value);
      return given != nullptr;
    }
    if (path->empty() && op == "test") return given != nullptr && is_equal(document_, value);
    Spot spot = find(document_, *path);
    if (spot.container == nullptr) return false;
    if (op == "remove") return take(spot, budget_).has_value();
    if ((op == "add" || op == "replace") && too_deep(*path, value)) return false;
    if (op == "add") return add(spot, std::move(value), budget_);
    if (op == "replace") return replace(spot, std::move(value), budget_);
    if (op != "test" || given == nullptr) return false;
    auto found = get(spot);
    return found && is_equal(*found, value);
  }

 private:
  static std::optional<std::string_view> text(const json::Object& operation, std::string_view key) {
    const json::Value* value = operation.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string_view(value->get_string());
  }

  bool transfer(const json::Object& operation, bool move) {
    auto from = text(operation, "from");
    auto path = text(operation, "path");
    if (!from || !path) return false;
    Spot source = find(document_, *from);
    if (source.container == nullptr) return false;
    auto value = move ? take(source, budget_) : get(source);
    if (!value) return false;
    Spot target = find(document_, *path);
    if (target.container == nullptr) return false;
    if (!move) {
      copied_ += json::write(*value).size();
      if (copied_ > kMaxPatchCopyBytes) return false;
    }
    return !too_deep(*path, *value) && add(target, std::move(*value), budget_);
  }

  // Operations build on each other, so that a short patch could nest without end.
  bool too_deep(std::string_view path, const json::Value& value) {
    const auto levels = static_cast<std::size_t>(std::ranges::count(path, '/'));
    return levels > json::kMaxDepth || !budget_.allows(value, json::kMaxDepth - levels);
  }

  json::Value& document_;
  std::size_t copied_ = 0;
  Budget budget_;
};

// What Go's decoder says of a patch that is no list of operations.
Result<> check_operations(const json::Value& patch) {
  auto bad = [](std::string message) {
    return fail(ErrorCode::kBadRequest, "error decoding patch: " + message);
  };
  if (patch.is_null()) return {};
  if (!patch.is_array())
    return bad(fmt::format("json: cannot unmarshal {} into Go value of type []handlers.jsonPatchOp",
                           json_type(patch)));
  for (const json::Value& operation : patch.get_array()) {
    if (!operation.is_object())
      return bad(fmt::format("json: cannot unmarshal {} into Go value of type handlers.jsonPatchOp",
                             json_type(operation)));
    for (std::string_view key : {"op", "path", "from"}) {
      const json::Value* value = operation.get_object().if_contains(key);
      if (value != nullptr && !value->is_string() && !value->is_null())
        return bad(fmt::format(
            "json: cannot unmarshal {} into Go struct field jsonPatchOp.{} of type string",
            json_type(*value), key));
    }
  }
  if (patch.get_array().size() > kMaxPatchOperations)
    return fail(ErrorCode::kTooLarge,
                fmt::format("Request entity is too large: The allowed maximum operations in a JSON "
                            "patch is {}, got {}",
                            kMaxPatchOperations, patch.get_array().size()));
  return {};
}

}  // namespace

Result<json::Value> json_patch(json::Value document, const json::Value& patch) {
  SLIPWAY_TRY(check_operations(patch));
  if (patch.is_null()) return document;
  if (!document.is_structured()) return refused();
  Patcher patcher(document);
  for (const json::Value& operation : patch.get_array()) {
    if (patcher.apply(operation.get_object())) continue;
    if (!patcher.exhausted()) return refused();
    return fail(ErrorCode::kTooLarge,
                fmt::format("Request entity is too large: the operations of this JSON patch move "
                            "more than {} elements of long lists; replace the whole list instead",
                            kMaxPatchSteps));
  }
  return document;
}

}  // namespace slipway::api
