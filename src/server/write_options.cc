#include "server/write_options.h"

#include <fmt/format.h>

#include <charconv>

#include "api/rules/validate.h"
#include "server/body.h"

namespace slipway::server {
namespace {

constexpr std::size_t kMaxManager = 128;
const std::vector<std::string> kDryRunValues = {"All"};

api::Gvk options_gvk(std::string_view kind) { return {"meta.k8s.io", "v1", std::string(kind)}; }

void check_manager(std::string_view manager, api::Findings& findings) {
  if (manager.size() > kMaxManager) findings.too_long("fieldManager", kMaxManager);
  for (std::size_t i = 0; i < manager.size(); ++i) {
    auto c = static_cast<unsigned char>(manager[i]);
    if (c >= 0x20 && c != 0x7f) continue;
    findings.invalid("fieldManager", json::Value(manager),
                     fmt::format("invalid character U+{:04X} (at position {})", c, i));
  }
}

bool read_dry_run(const std::vector<std::string>& values, api::Findings& findings) {
  for (const auto& value : values) {
    if (value == "All") continue;
    json::Array shown;
    for (const auto& each : values) shown.push_back(json::Value(each));
    findings.not_supported("dryRun", std::move(shown), kDryRunValues);
    return false;
  }
  return !values.empty();
}

std::vector<std::string> parameters(const Call& call, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : call.request.target.query)
    if (key == name) values.push_back(value);
  return values;
}

store::FieldValidation read_validation(std::string_view text, api::Findings& findings) {
  if (text == "Ignore") return store::FieldValidation::kIgnore;
  if (text == "Strict") return store::FieldValidation::kStrict;
  if (!text.empty() && text != "Warn")
    findings.not_supported("fieldValidation", json::Value(text), {"", "Ignore", "Strict", "Warn"});
  return store::FieldValidation::kWarn;
}

// The options of the query in the form the body has.
json::Object delete_query(const Call& call) {
  json::Object object;
  auto take = [&](std::string_view name) {
    if (auto value = call.parameter(name); !value.empty()) object[name] = value;
  };
  take("propagationPolicy");
  take("orphanDependents");
  if (auto dry = parameters(call, "dryRun"); !dry.empty()) {
    json::Array values;
    for (auto& each : dry) values.push_back(json::Value(each));
    object["dryRun"] = std::move(values);
  }
  if (auto grace = call.parameter("gracePeriodSeconds"); !grace.empty()) {
    std::int64_t seconds = 0;
    auto [end, error] = std::from_chars(grace.data(), grace.data() + grace.size(), seconds);
    if (error == std::errc() && end == grace.data() + grace.size()) {
      object["gracePeriodSeconds"] = seconds;
    } else {
      object["gracePeriodSeconds"] = grace;
    }
  }
  return object;
}

std::optional<bool> orphan_flag(const json::Object& object) {
  const auto* value = object.if_contains("orphanDependents");
  if (!value || value->is_null()) return std::nullopt;
  if (value->is_bool()) return value->get_bool();
  return json::string_at(*value, {}) != "false" && json::string_at(*value, {}) != "0";
}

void read_propagation(const json::Object& object, DeleteRequest& request, api::Findings& findings) {
  auto orphan = orphan_flag(object);
  const auto* policy = object.if_contains("propagationPolicy");
  bool has_policy = policy && !policy->is_null();
  if (orphan && has_policy)
    findings.invalid("propagationPolicy", *policy,
                     "orphanDependents and deletionPropagation cannot be both set");
  if (orphan) {
    request.options.propagation =
        *orphan ? store::Propagation::kOrphan : store::Propagation::kBackground;
    request.asked_to_wait = !*orphan;
  }
  if (!has_policy) return;
  auto text = json::string_at(*policy, {});
  if (text == "Foreground") {
    request.options.propagation = store::Propagation::kForeground;
  } else if (text == "Background") {
    request.options.propagation = store::Propagation::kBackground;
  } else if (text == "Orphan") {
    request.options.propagation = store::Propagation::kOrphan;
  } else {
    findings.not_supported("propagationPolicy", *policy,
                           {"Foreground", "Background", "Orphan", "nil"});
  }
}

std::vector<std::string> strings_of(const json::Value* value) {
  std::vector<std::string> result;
  if (value && value->is_array())
    for (const auto& each : value->get_array()) result.emplace_back(json::string_at(each, {}));
  return result;
}

Result<json::Object> delete_document(const api::Registry& registry, const Call& call) {
  if (call.request.body.empty()) return delete_query(call);
  // DeleteOptions have a protobuf form whatever they delete.
  auto body = read_body(call.request, {registry, options_gvk("DeleteOptions")});
  if (!body) return std::unexpected(body.error());
  auto* object = body->value.if_object();
  if (!object) return fail(ErrorCode::kBadRequest, "the body is not a DeleteOptions object");
  const auto* kind = object->if_contains("kind");
  if (kind && json::string_at(*kind, {}) != "DeleteOptions")
    return fail(ErrorCode::kBadRequest,
                fmt::format("decoded object of kind {} cannot be converted to DeleteOptions",
                            json::write(*kind)));
  return std::move(*object);
}

}  // namespace

std::string manager_of_agent(std::string_view user_agent) {
  std::string manager;
  for (char c : user_agent.substr(0, user_agent.find('/'))) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) manager += c;
  }
  if (manager.size() > kMaxManager) manager.resize(kMaxManager);
  return manager.empty() ? "unknown" : manager;
}

Result<> read_preconditions(const json::Object& object, store::DeleteOptions& options) {
  const auto* given = object.if_contains("preconditions");
  if (!given || given->is_null()) return {};
  const auto wrong = [](std::string_view field) {
    return fail(ErrorCode::kBadRequest, "is of a wrong type", std::string(field));
  };
  if (!given->is_object()) return wrong("preconditions");
  for (const std::string_view field : {"uid", "resourceVersion"}) {
    const json::Value* value = given->get_object().if_contains(field);
    if (!value || value->is_null()) continue;
    if (!value->is_string()) return wrong(fmt::format("preconditions.{}", field));
    // No object has an empty one.
    if (value->get_string().empty())
      return fail(ErrorCode::kConflict, fmt::format("Precondition failed: {} is empty", field));
  }
  options.if_uid = json::string_at(*given, {"uid"});
  const auto version = json::string_at(*given, {"resourceVersion"});
  if (version.empty()) return {};
  store::Version number = 0;
  auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
  if (error != std::errc() || end != version.data() + version.size())
    return fail(ErrorCode::kBadRequest, fmt::format("\"{}\" is not a resourceVersion", version),
                "preconditions.resourceVersion");
  options.if_version = number;
  return {};
}

Result<> read_grace(const json::Object& object, store::DeleteOptions& options) {
  const auto* grace = object.if_contains("gracePeriodSeconds");
  if (!grace || grace->is_null()) return {};
  if (!grace->is_int64())
    return fail(ErrorCode::kBadRequest, json::write(*grace) + " is not a whole number of seconds",
                "gracePeriodSeconds");
  options.grace_seconds = grace->get_int64();
  return {};
}

Result<store::WriteOptions> write_options(const Call& call, std::string_view options_kind,
                                          bool apply) {
  api::Findings findings;
  store::WriteOptions options;
  std::string manager(call.parameter("fieldManager"));
  if (apply && manager.empty()) findings.required("fieldManager", "is required for apply patch");
  if (!apply && options_kind == "PatchOptions" && call.request.target.find("force"))
    findings.forbidden("force", "may not be specified for non-apply patch");
  check_manager(manager, findings);
  options.manager =
      manager.empty() ? manager_of_agent(call.request.headers.get("User-Agent")) : manager;
  options.dry_run = read_dry_run(parameters(call, "dryRun"), findings);
  options.validation = read_validation(call.parameter("fieldValidation"), findings);
  options.subresource = call.route.subresource;
  if (!findings.empty()) return fail(findings.error(options_gvk(options_kind), ""));
  return options;
}

Result<DeleteRequest> delete_options(const api::Registry& registry, const Call& call) {
  auto object = delete_document(registry, call);
  if (!object) return std::unexpected(object.error());
  DeleteRequest request;
  api::Findings findings;
  read_propagation(*object, request, findings);
  request.options.dry_run = read_dry_run(strings_of(object->if_contains("dryRun")), findings);
  SLIPWAY_TRY(read_preconditions(*object, request.options));
  SLIPWAY_TRY(read_grace(*object, request.options));
  if (!findings.empty()) return fail(findings.error(options_gvk("DeleteOptions"), ""));
  return request;
}

}  // namespace slipway::server
