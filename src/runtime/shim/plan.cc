#include "runtime/shim/plan.h"

#include <fmt/format.h>

#include "base/file.h"
#include "runtime/shim/fields.h"

namespace slipway::runtime {

namespace {

json::Value mount_value(const Mount& mount) {
  return json::Object{{"source", mount.source},
                      {"target", mount.target},
                      {"readOnly", mount.read_only},
                      {"within", mount.within}};
}

json::Value hook_value(const Hook& hook) {
  if (!hook.exec.empty()) return json::Object{{"exec", strings_value(hook.exec)}};
  return json::Object{{"httpHost", hook.http_host},
                      {"httpPort", hook.http_port},
                      {"httpPath", hook.http_path},
                      {"httpHeaders", pairs_value(hook.http_headers)}};
}

json::Value container_value(const ContainerPlan& plan) {
  json::Object object{{"name", plan.name},
                      {"image", plan.image},
                      {"argv", strings_value(plan.argv)},
                      {"env", pairs_value(plan.env)},
                      {"workingDir", plan.working_dir}};
  if (plan.restart) object["restart"] = to_string(*plan.restart);
  object["startupProbe"] = plan.startup_probe;
  if (plan.pre_stop) object["preStop"] = hook_value(*plan.pre_stop);
  json::Array mounts;
  for (const auto& mount : plan.mounts) mounts.push_back(mount_value(mount));
  object["mounts"] = std::move(mounts);
  object["terminationMessageFile"] = plan.termination_message_file;
  object["terminationMessageFromLog"] = plan.termination_message_from_log;
  return object;
}

json::Value tuning_value(const ShimTuning& tuning) {
  return json::Object{{"backoffFirst", tuning.backoff_first.count()},
                      {"backoffMost", tuning.backoff_most.count()},
                      {"backoffReset", tuning.backoff_reset.count()},
                      {"logBytes", tuning.log_bytes},
                      {"logFiles", tuning.log_files}};
}

Result<> read_restart(Fields& fields, std::string_view name, std::optional<RestartPolicy>& into) {
  std::string word;
  fields.read(name, word);
  if (word.empty()) return {};
  auto policy = parse_restart_policy(word);
  if (!policy) {
    fields.refuse(name, policy.error().message);
    return fields.result();
  }
  into = *policy;
  return {};
}

Result<> read_hook(const json::Value& value, const std::string& path, Hook& into) {
  Fields fields(value, path);
  fields.read("exec", into.exec);
  fields.read("httpHost", into.http_host);
  fields.read("httpPort", into.http_port);
  fields.read("httpPath", into.http_path);
  fields.read("httpHeaders", into.http_headers);
  return fields.result();
}

Result<> read_mount(const json::Value& value, const std::string& path, Mount& into) {
  Fields fields(value, path);
  fields.read("source", into.source);
  fields.read("target", into.target);
  fields.read("readOnly", into.read_only);
  fields.read("within", into.within);
  if (!into.source.starts_with('/')) fields.refuse("source", "is not an absolute path");
  if (!into.target.starts_with('/')) fields.refuse("target", "is not an absolute path");
  return fields.result();
}

Result<> read_container(const json::Value& value, const std::string& path, ContainerPlan& into) {
  Fields fields(value, path);
  fields.read("name", into.name);
  fields.read("image", into.image);
  fields.read("argv", into.argv);
  fields.read("env", into.env);
  fields.read("workingDir", into.working_dir);
  SLIPWAY_TRY(read_restart(fields, "restart", into.restart));
  fields.read("startupProbe", into.startup_probe);
  fields.with("preStop", [&into](const json::Value& hook, const std::string& at) {
    return read_hook(hook, at, into.pre_stop.emplace());
  });
  fields.each("mounts", kMaxItems, [&into](const json::Value& mount, const std::string& at) {
    return read_mount(mount, at, into.mounts.emplace_back());
  });
  fields.read("terminationMessageFile", into.termination_message_file);
  fields.read("terminationMessageFromLog", into.termination_message_from_log);
  // The name becomes a folder of logs.
  if (into.name.empty() || into.name.find('/') != std::string::npos || into.name.starts_with('.'))
    fields.refuse("name", fmt::format("\"{}\" is not a container's name", into.name));
  if (into.argv.empty()) fields.refuse("argv", "is empty; it needs the program at least");
  return fields.result();
}

Result<> read_tuning(const json::Value& value, const std::string& path, ShimTuning& into) {
  Fields fields(value, path);
  fields.read("backoffFirst", into.backoff_first);
  fields.read("backoffMost", into.backoff_most);
  fields.read("backoffReset", into.backoff_reset);
  fields.read("logBytes", into.log_bytes);
  fields.read("logFiles", into.log_files);
  if (into.log_files == 0) fields.refuse("logFiles", "is 0; at least 1 is needed");
  return fields.result();
}

}  // namespace

ContainerPlan* find_container(PodPlan& plan, std::string_view name) {
  for (auto* list : {&plan.init_containers, &plan.containers})
    for (auto& container : *list)
      if (container.name == name) return &container;
  return nullptr;
}

std::string_view to_string(RestartPolicy policy) {
  switch (policy) {
    case RestartPolicy::kAlways:
      return "Always";
    case RestartPolicy::kOnFailure:
      return "OnFailure";
    case RestartPolicy::kNever:
      return "Never";
  }
  return "Always";
}

Result<RestartPolicy> parse_restart_policy(std::string_view text) {
  for (const auto policy :
       {RestartPolicy::kAlways, RestartPolicy::kOnFailure, RestartPolicy::kNever})
    if (text == to_string(policy)) return policy;
  return fail(
      ErrorCode::kInvalid,
      fmt::format("\"{}\" is not a restart policy; write Always, OnFailure or Never", text));
}

json::Value to_json(const PodPlan& plan) {
  json::Array init;
  for (const auto& container : plan.init_containers) init.push_back(container_value(container));
  json::Array containers;
  for (const auto& container : plan.containers) containers.push_back(container_value(container));
  return json::Object{{"uid", plan.uid},
                      {"namespace", plan.ns},
                      {"name", plan.name},
                      {"podIP", plan.pod_ip},
                      {"restartPolicy", to_string(plan.restart_policy)},
                      {"graceSeconds", plan.grace_seconds},
                      {"initContainers", std::move(init)},
                      {"containers", std::move(containers)},
                      {"tuning", tuning_value(plan.tuning)}};
}

Result<PodPlan> parse_plan(const json::Value& value) {
  PodPlan plan;
  Fields fields(value, "");
  fields.read("uid", plan.uid);
  fields.read("namespace", plan.ns);
  fields.read("name", plan.name);
  fields.read("podIP", plan.pod_ip);
  std::optional<RestartPolicy> restart;
  SLIPWAY_TRY(read_restart(fields, "restartPolicy", restart));
  plan.restart_policy = restart.value_or(RestartPolicy::kAlways);
  fields.read("graceSeconds", plan.grace_seconds);
  fields.each("initContainers", kMaxContainersOfPod,
              [&plan](const json::Value& item, const std::string& path) {
                return read_container(item, path, plan.init_containers.emplace_back());
              });
  fields.each("containers", kMaxContainersOfPod,
              [&plan](const json::Value& item, const std::string& path) {
                return read_container(item, path, plan.containers.emplace_back());
              });
  fields.with("tuning", [&plan](const json::Value& item, const std::string& path) {
    return read_tuning(item, path, plan.tuning);
  });
  if (plan.uid.empty()) fields.refuse("uid", "is missing");
  SLIPWAY_TRY(fields.result());
  return plan;
}

Result<PodPlan> read_plan(const std::string& folder) {
  auto text = file::read(folder + "/" + kPlanFile, json::kMaxBytes);
  if (!text) return std::unexpected(text.error());
  auto value = json::read(*text);
  if (!value) return std::unexpected(value.error());
  return parse_plan(*value);
}

Result<> write_plan(const std::string& folder, const PodPlan& plan) {
  SLIPWAY_TRY(file::make_folder(folder, 0700));
  return file::write(folder + "/" + kPlanFile, json::write(to_json(plan)), 0600);
}

}  // namespace slipway::runtime
