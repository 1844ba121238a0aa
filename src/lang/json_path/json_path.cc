#include "lang/json_path/json_path.h"

#include <algorithm>

namespace slipway::lang {

// One search, with the count of what it has looked at.
class JsonPathWalk {
 public:
  using Step = JsonPath::Step;
  using Found = std::vector<const json::Value*>;

  void steps(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
             Found& found) {
    if (++visits_ > kMaxJsonPathVisits) return;
    if (at == steps.size()) {
      found.push_back(&value);
      return;
    }
    if (steps[at].kind == Step::Kind::kDeep) {
      deep(steps, at, value, found);
      return;
    }
    Found next;
    take(steps[at], value, next);
    for (const json::Value* member : next) this->steps(steps, at + 1, *member, found);
  }

 private:
  void take(const Step& step, const json::Value& value, Found& next) {
    const auto* object = value.if_object();
    const auto* array = value.if_array();
    switch (step.kind) {
      case Step::Kind::kField:
        if (const auto* field = object ? object->if_contains(step.field) : nullptr)
          next.push_back(field);
        break;
      case Step::Kind::kIndex:
        if (array) take_index(step.index, *array, next);
        break;
      case Step::Kind::kSlice:
        if (array) take_slice(step, *array, next);
        break;
      case Step::Kind::kUnion:
        for (const Step& choice : step.choices) take(choice, value, next);
        break;
      case Step::Kind::kAll:
        if (object)
          for (const auto& member : *object) next.push_back(&member.value());
        if (array)
          for (const auto& member : *array) next.push_back(&member);
        break;
      case Step::Kind::kFilter:
        if (array)
          for (const auto& member : *array)
            if (passes(step, member)) next.push_back(&member);
        break;
      case Step::Kind::kDeep:
        break;
    }
  }

  static void take_index(std::int64_t index, const json::Array& array, Found& next) {
    auto size = static_cast<std::int64_t>(array.size());
    if (index < 0) index += size;
    if (index >= 0 && index < size) next.push_back(&array[static_cast<std::size_t>(index)]);
  }

  static void take_slice(const Step& step, const json::Array& array, Found& next) {
    auto size = static_cast<std::int64_t>(array.size());
    auto bounded = [size](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
    };
    std::int64_t to = bounded(step.to.value_or(size));
    for (std::int64_t at = bounded(step.from.value_or(0)); at < to;) {
      next.push_back(&array[static_cast<std::size_t>(at)]);
      if (step.stride >= to - at) break;
      at += step.stride;
    }
  }

  void deep(const std::vector<Step>& steps, std::size_t at, const json::Value& value,
            Found& found) {
    if (++visits_ > kMaxJsonPathVisits) return;
    const Step& step = steps[at];
    if (const auto* object = value.if_object()) {
      const auto* named = step.every ? nullptr : object->if_contains(step.field);
      if (named) this->steps(steps, at + 1, *named, found);
      for (const auto& member : *object) {
        if (step.every) this->steps(steps, at + 1, member.value(), found);
        deep(steps, at, member.value(), found);
      }
    } else if (const auto* array = value.if_array()) {
      for (const auto& member : *array) {
        if (step.every) this->steps(steps, at + 1, member, found);
        deep(steps, at, member, found);
      }
    }
  }

  bool passes(const Step& filter, const json::Value& value) {
    Found sides;
    steps(filter.path, 0, value, sides);
    if (sides.empty()) return false;
    if (filter.comparison.empty()) return true;
    const json::Value& left = *sides.front();
    bool equal = json::same(left, filter.operand);
    if (filter.comparison == "==") return equal;
    if (filter.comparison == "!=") return !equal;
    bool less = false;
    if (left.is_number() && filter.operand.is_number()) {
      less = left.to_number<double>() < filter.operand.to_number<double>();
    } else if (left.is_string() && filter.operand.is_string()) {
      less = left.get_string() < filter.operand.get_string();
    } else {
      return false;
    }
    if (filter.comparison == "<") return less;
    if (filter.comparison == "<=") return less || equal;
    if (filter.comparison == ">") return !less && !equal;
    return !less;
  }

  std::size_t visits_ = 0;
};

std::vector<const json::Value*> JsonPath::find(const json::Value& root) const {
  std::vector<const json::Value*> found;
  JsonPathWalk().steps(steps_, 0, root, found);
  return found;
}

}  // namespace slipway::lang
