#include "api/scale.h"

#include <fmt/format.h>

#include <limits>

#include "api/object.h"
#include "api/selector.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

// ".spec.replicas" -> spec, replicas.
std::vector<std::string_view> names_in(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    names.push_back(path.substr(0, path.find('.')));
    path.remove_prefix(names.back().size());
  }
  return names;
}

const json::Value* value_at(const json::Object& object, std::string_view path) {
  const json::Object* here = &object;
  const json::Value* value = nullptr;
  for (std::string_view name : names_in(path)) {
    value = here == nullptr ? nullptr : here->if_contains(name);
    here = value == nullptr ? nullptr : value->if_object();
  }
  return value;
}

std::int64_t number_at(const json::Object& object, std::string_view path) {
  const json::Value* value = value_at(object, path);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

// Native kinds hold a LabelSelector there, custom ones its text.
std::string selector_at(const json::Object& object, std::string_view path) {
  const json::Value* value = path.empty() ? nullptr : value_at(object, path);
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->get_string());
  auto selector = read_label_selector(*value);
  return selector ? to_string(*selector) : std::string();
}

std::string wrong_type(std::string_view path, const json::Value& value, std::string_view wanted) {
  return fmt::format("{} accessor error: {} is of the type {}, expected {}", path, go_plain(value),
                     go_type(value), wanted);
}

// What is at a path, or null. Error: something on the way is no object, in Go's words.
std::expected<const json::Value*, std::string> nested(const json::Object& object,
                                                      std::string_view path) {
  const json::Object* here = &object;
  const json::Value* value = nullptr;
  std::string so_far;
  for (std::string_view name : names_in(path)) {
    so_far += fmt::format(".{}", name);
    if (value != nullptr && value->is_null()) return nullptr;
    if (here == nullptr)
      return std::unexpected(wrong_type(so_far, *value, "map[string]interface {}"));
    value = here->if_contains(name);
    if (value == nullptr) return nullptr;
    here = value->if_object();
  }
  return value;
}

void check_replicas(const json::Object& object, const std::string& path, Findings& findings) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  auto value = nested(object, path);
  if (!value) {
    findings.invalid(path, 0, value.error());
  } else if (*value == nullptr) {
    return;
  } else if (!(*value)->is_int64()) {
    findings.invalid(path, 0, wrong_type(path, **value, "int64"));
  } else if ((*value)->get_int64() < 0) {
    findings.invalid(path, **value, "should be a non-negative integer");
  } else if ((*value)->get_int64() > kMost) {
    findings.invalid(path, **value, fmt::format("should be less than or equal to {}", kMost));
  }
}

}  // namespace

void check_scale(const json::Object& object, const Resource& resource, Findings& findings) {
  if (!resource.scale) return;
  check_replicas(object, resource.scale->spec_replicas, findings);
  check_replicas(object, resource.scale->status_replicas, findings);
  const std::string& path = resource.scale->selector;
  if (path.empty()) return;
  auto value = nested(object, path);
  if (!value) {
    findings.invalid(path, "", value.error());
  } else if (*value != nullptr && !(*value)->is_string()) {
    findings.invalid(path, "", wrong_type(path, **value, "string"));
  }
}

json::Object scale_of(const json::Object& object, const Resource& resource) {
  SLIPWAY_ASSERT(resource.scale.has_value());
  json::Object metadata;
  if (const json::Object* from = metadata_of(object))
    for (std::string_view key :
         {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
      if (const json::Value* value = from->if_contains(key)) metadata[key] = *value;
  json::Object spec, status;
  if (std::int64_t replicas = number_at(object, resource.scale->spec_replicas); replicas != 0)
    spec["replicas"] = replicas;
  status["replicas"] = number_at(object, resource.scale->status_replicas);
  if (std::string selector = selector_at(object, resource.scale->selector); !selector.empty())
    status["selector"] = selector;
  json::Object scale;
  scale["kind"] = "Scale";
  scale["apiVersion"] = "autoscaling/v1";
  scale["metadata"] = std::move(metadata);
  scale["spec"] = std::move(spec);
  scale["status"] = std::move(status);
  return scale;
}

bool has_replicas(const json::Object& object, const Resource& resource) {
  const json::Value* value = value_at(object, resource.scale->spec_replicas);
  return value != nullptr && value->is_number();
}

Result<> set_scale(json::Object& object, const json::Object& scale, const Resource& resource) {
  SLIPWAY_ASSERT(resource.scale.has_value());
  const json::Value* wanted = value_at(scale, ".spec.replicas");
  json::Value replicas = wanted == nullptr || wanted->is_null() ? json::Value(0) : *wanted;
  if (!replicas.is_int64() || replicas.get_int64() > std::numeric_limits<std::int32_t>::max() ||
      replicas.get_int64() < std::numeric_limits<std::int32_t>::min())
    return fail(
        ErrorCode::kBadRequest,
        fmt::format(
            "json: cannot unmarshal {} into Go struct field ScaleSpec.spec.replicas of type int32",
            replicas.is_number() ? "number " + json::write(replicas)
                                 : std::string(json_type(replicas))));
  if (replicas.get_int64() < 0) {
    Findings findings;
    findings.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
    return fail(findings.error({"autoscaling", "v1", "Scale"}, name_of(object)));
  }
  json::Object* here = &object;
  std::vector<std::string_view> names = names_in(resource.scale->spec_replicas);
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    json::Value& value = (*here)[names[i]];
    here = value.is_object() ? &value.get_object() : &value.emplace_object();
  }
  (*here)[names.back()] = std::move(replicas);
  return {};
}

}  // namespace slipway::api
