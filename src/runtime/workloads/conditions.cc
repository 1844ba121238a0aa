#include "runtime/workloads/conditions.h"

#include "api/rules/members.h"

namespace slipway::runtime {

const json::Object* condition_in(const json::Object& status, std::string_view type) {
  const json::Array* conditions = api::array_in(status, "conditions");
  if (!conditions) return nullptr;
  for (const json::Value& condition : *conditions)
    if (const json::Object* one = condition.if_object(); one && api::text_in(*one, "type") == type)
      return one;
  return nullptr;
}

std::string since_of(const json::Object& condition, Time now) {
  const std::string_view since = api::text_in(condition, "lastTransitionTime");
  return since.empty() ? format_time(now) : std::string(since);
}

bool has_condition(const json::Object& status, std::string_view type, std::string_view value) {
  const json::Object* condition = condition_in(status, type);
  return condition && api::text_in(*condition, "status") == value;
}

void remove_condition(json::Object& status, std::string_view type) {
  const json::Array* conditions = api::array_in(status, "conditions");
  if (!conditions) return;
  json::Array kept;
  for (const json::Value& condition : *conditions)
    if (!condition.is_object() || api::text_in(condition.get_object(), "type") != type)
      kept.push_back(condition);
  if (kept.empty())
    json::erase(status, "conditions");
  else
    status["conditions"] = std::move(kept);
}

void put_condition(json::Object& status, const Condition& condition, Time now,
                   std::string_view update_field) {
  std::string since = format_time(now);
  const std::string looked = since;
  if (const json::Object* before = condition_in(status, condition.type);
      before && api::text_in(*before, "status") == condition.status) {
    if (api::text_in(*before, "reason") == condition.reason) return;
    since = since_of(*before, now);
  }
  remove_condition(status, condition.type);
  json::Object made{{"type", condition.type}, {"status", condition.status}};
  if (!update_field.empty()) made[update_field] = looked;
  made["lastTransitionTime"] = since;
  if (!condition.reason.empty()) made["reason"] = condition.reason;
  if (!condition.message.empty()) made["message"] = condition.message;
  json::Value& list = status["conditions"];
  if (!list.is_array()) list = json::Array();
  list.get_array().push_back(std::move(made));
}

void set_count(json::Object& status, std::string_view field, std::int64_t count) {
  if (count != 0)
    status[field] = count;
  else
    json::erase(status, field);
}

}  // namespace slipway::runtime
