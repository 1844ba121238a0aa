#include "analysis/arguments.h"

#include <fmt/format.h>

#include "api/schema/codec.h"

namespace slipway::analysis {

namespace {

using api::argo::Argument;
using api::argo::Metric;

// metadata.labels['app'] as the downward API spells it: the map and its key.
std::optional<std::string> in_map(const json::Value& metadata, std::string_view path,
                                  std::string_view map) {
  if (!path.starts_with(map)) return std::nullopt;
  path.remove_prefix(map.size());
  if (!path.starts_with("['") || !path.ends_with("']") || path.size() < 4) return std::nullopt;
  const std::string_view key = path.substr(2, path.size() - 4);
  return std::string(json::string_at(metadata, {map, key}));
}

std::optional<std::string> field_of(const json::Value& metadata, std::string_view path) {
  constexpr std::string_view kMetadata = "metadata.";
  if (!path.starts_with(kMetadata)) return std::nullopt;
  path.remove_prefix(kMetadata.size());
  for (std::string_view field : {"name", "namespace", "uid"})
    if (path == field) return std::string(json::string_at(metadata, {field}));
  for (std::string_view map : {"labels", "annotations"})
    if (auto value = in_map(metadata, path, map)) return value;
  return std::nullopt;
}

std::optional<std::string> value_of(const Argument& argument, const json::Value& metadata) {
  if (argument.value) return argument.value;
  if (argument.value_from && argument.value_from->field_ref)
    return field_of(metadata, argument.value_from->field_ref->field_path);
  return std::nullopt;
}

}  // namespace

Arguments arguments_of(const api::argo::AnalysisRunSpec& spec, const json::Value& metadata) {
  Arguments arguments;
  for (const Argument& argument : spec.args) {
    const std::string tag = "args." + argument.name;
    // Where there are both, the Secret counts: upstream's order.
    if (argument.value_from && argument.value_from->secret_key_ref) {
      const auto& ref = *argument.value_from->secret_key_ref;
      arguments.secrets.push_back({argument.name, ref.name, ref.key});
      arguments.tags[tag] = std::string(kStandIn);
    } else {
      arguments.tags[tag] = value_of(argument, metadata);
    }
  }
  return arguments;
}

Result<> fill_secrets(Arguments& arguments, const SecretData& data, Redactor& redactor) {
  for (const SecretArgument& secret : arguments.secrets) {
    const auto found = data.find(secret.secret);
    if (found == data.end() || !found->second.contains(secret.key))
      return fail(ErrorCode::kInvalid,
                  fmt::format("key '{}' does not exist in secret '{}'", secret.key, secret.secret));
    const std::string& value = found->second.at(secret.key);
    redactor.add(value);
    arguments.tags["args." + secret.argument] = value;
  }
  return {};
}

bool has_tags(const json::Value& value) {
  if (const auto* text = value.if_string()) return std::string_view(*text).contains("{{");
  if (const auto* list = value.if_array()) return std::ranges::any_of(*list, has_tags);
  const auto* object = value.if_object();
  return object && std::ranges::any_of(*object, [](const auto& member) {
           return std::string_view(member.key()).contains("{{") || has_tags(member.value());
         });
}

Result<std::vector<Metric>> resolve(const json::Value& metrics, const lang::Tags& tags) {
  auto filled = lang::substitute_all(metrics, tags);
  if (!filled) return fail(filled.error().code, filled.error().message);
  std::vector<Metric> resolved;
  const auto* list = filled->if_array();
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    auto metric = api::decode<Metric>((*list)[i], fmt::format("spec.metrics[{}]", i));
    if (!metric) return std::unexpected(std::move(metric).error());
    resolved.push_back(std::move(*metric));
  }
  return resolved;
}

}  // namespace slipway::analysis
