#include "analysis/argo/owner_arguments.h"

#include <fmt/format.h>

#include <charconv>

namespace slipway::analysis {

namespace {

using namespace api::argo;

constexpr std::string_view kSeparators = ".[]";

std::string text_of(const json::Value& value) {
  return value.is_string() ? std::string(value.get_string()) : json::write(value);
}

// The next step of a path; runs of separators count as one.
std::string_view next_step(std::string_view& path) {
  path.remove_prefix(std::min(path.find_first_not_of(kSeparators), path.size()));
  const std::string_view step = path.substr(0, path.find_first_of(kSeparators));
  path.remove_prefix(step.size());
  return step;
}

Result<const json::Value*> element(const json::Array& list, std::string_view step) {
  std::size_t index = 0;
  const auto [end, wrong] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (wrong != std::errc() || end != step.data() + step.size())
    return fail(ErrorCode::kInvalid, fmt::format("invalid index '{}'", step));
  if (index >= list.size())
    return fail(ErrorCode::kInvalid, fmt::format("index {} out of range", index));
  return &list[index];
}

std::unexpected<Error> no_such_path(std::string_view path) {
  return fail(ErrorCode::kInvalid, fmt::format("invalid path {} in rollout", path));
}

Result<std::string> value_at(const json::Value& rollout, std::string_view path) {
  const json::Value* value = &rollout;
  std::string_view rest = path;
  for (std::string_view step = next_step(rest); !step.empty(); step = next_step(rest)) {
    if (value != nullptr && value->is_array()) {
      auto found = element(value->get_array(), step);
      if (!found) return std::unexpected(std::move(found).error());
      value = *found;
    } else if (value != nullptr && value->is_object()) {
      value = value->get_object().if_contains(step);
    } else {
      return no_such_path(path);
    }
  }
  if (value == nullptr || value->is_null()) return no_such_path(path);
  if (value->is_array() || value->is_object())
    return fail(ErrorCode::kInvalid,
                fmt::format("path {} in rollout must terminate in a primitive value", path));
  return text_of(*value);
}

// `key` of labels['key']; the downward API knows labels and annotations that way.
std::string_view subscript_of(std::string_view path, std::string_view map) {
  if (!path.starts_with(map) || !path.substr(map.size()).starts_with("['") || !path.ends_with("']"))
    return {};
  path.remove_prefix(map.size() + 2);
  return path.substr(0, path.size() - 2);
}

Result<std::string> value_of(const AnalysisRunArgument& argument, const RolloutFacts& facts) {
  if (!argument.value_from) return argument.value;
  const auto& from = *argument.value_from;
  if (from.pod_template_hash_value == "Latest") return facts.latest_hash;
  if (from.pod_template_hash_value == "Stable") return facts.stable_hash;
  if (from.field_ref) return value_in_rollout(facts.rollout, from.field_ref->field_path);
  return argument.value;
}

}  // namespace

Result<std::string> value_in_rollout(const json::Object& rollout, std::string_view path) {
  for (const std::string_view map : {"labels", "annotations"}) {
    const std::string whole = fmt::format("metadata.{}", map);
    if (const std::string_view key = subscript_of(path, whole); !key.empty())
      return std::string(json::string_at(rollout, {"metadata", map, key}));
  }
  return value_at(rollout, path);
}

Result<std::vector<Argument>> rollout_arguments(const std::vector<AnalysisRunArgument>& given,
                                                const RolloutFacts& facts) {
  std::vector<Argument> out;
  for (const AnalysisRunArgument& argument : given) {
    auto value = value_of(argument, facts);
    if (!value) return std::unexpected(std::move(value).error());
    out.push_back({.name = argument.name, .value = std::move(*value)});
  }
  return out;
}

Result<std::vector<Argument>> experiment_arguments(std::vector<Argument> given,
                                                   const lang::Tags& tags) {
  for (Argument& argument : given) {
    if (!argument.value) continue;
    auto value = lang::substitute(*argument.value, tags);
    if (!value) return std::unexpected(std::move(value).error());
    argument.value = std::move(*value);
  }
  return given;
}

}  // namespace slipway::analysis
