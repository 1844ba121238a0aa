#include "runtime/traffic/status.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/members.h"

namespace slipway::runtime::traffic {

namespace {

const json::Object* find_by(const json::Array* list, std::string_view key, std::string_view value) {
  if (!list) return nullptr;
  for (const json::Value& item : *list)
    if (item.is_object() && api::text_in(item.get_object(), key) == value)
      return &item.get_object();
  return nullptr;
}

// A condition keeps its time as long as its status stays.
json::Object condition(std::string_view type, const Verdict& verdict, std::int64_t generation,
                       const json::Array* before, Time now) {
  const std::string_view status = verdict.holds ? "True" : "False";
  const json::Object* old = find_by(before, "type", type);
  const bool stays = old && api::text_in(*old, "status") == status;
  return {{"type", type},
          {"status", status},
          {"observedGeneration", generation},
          {"lastTransitionTime",
           stays ? std::string(api::text_in(*old, "lastTransitionTime")) : format_time(now)},
          {"reason", verdict.reason},
          {"message", verdict.message}};
}

const json::Array* conditions_of(const json::Object* owner) {
  return owner ? api::array_in(*owner, "conditions") : nullptr;
}

bool is_ours(const json::Object& parent) {
  return api::text_in(parent, "controllerName") == kController;
}

const json::Object* find_parent(const json::Array* parents, const json::Object& reference) {
  if (!parents) return nullptr;
  for (const json::Value& item : *parents) {
    if (!item.is_object() || !is_ours(item.get_object())) continue;
    const json::Object* given = api::object_in(item.get_object(), "parentRef");
    if (given && json::same(json::Value(*given), json::Value(reference))) return &item.get_object();
  }
  return nullptr;
}

json::Object listener_status(const ListenerVerdict& verdict, std::int64_t generation,
                             const json::Array* before, Time now) {
  const json::Array* old = conditions_of(find_by(before, "name", verdict.name));
  const Verdict no_conflict{false, "NoConflicts", "no other listener is in the way"};
  json::Array kinds;
  if (verdict.accepted.holds && verdict.resolved.holds)
    kinds.push_back(json::Object{{"group", "gateway.networking.k8s.io"}, {"kind", "HTTPRoute"}});
  return {
      {"name", verdict.name},
      {"supportedKinds", std::move(kinds)},
      {"attachedRoutes", verdict.attached},
      {"conditions", json::Array{condition("Accepted", verdict.accepted, generation, old, now),
                                 condition("Programmed", verdict.programmed, generation, old, now),
                                 condition("ResolvedRefs", verdict.resolved, generation, old, now),
                                 condition("Conflicted", no_conflict, generation, old, now)}}};
}

}  // namespace

std::optional<json::Array> decide_parents(const json::Object& route,
                                          const std::vector<ParentVerdict>& verdicts, Time now) {
  const json::Object* status = api::object_in(route, "status");
  const json::Array* before = status ? api::array_in(*status, "parents") : nullptr;
  const std::int64_t generation = api::generation_of(route);
  json::Array parents;
  if (before)
    for (const json::Value& item : *before)
      if (!item.is_object() || !is_ours(item.get_object())) parents.push_back(item);
  for (const ParentVerdict& verdict : verdicts) {
    const json::Array* old = conditions_of(find_parent(before, verdict.reference));
    parents.push_back(json::Object{
        {"parentRef", verdict.reference},
        {"controllerName", kController},
        {"conditions",
         json::Array{condition("Accepted", verdict.accepted, generation, old, now),
                     condition("ResolvedRefs", verdict.resolved, generation, old, now)}}});
  }
  if (!before && parents.empty()) return std::nullopt;
  if (before && json::same(json::Value(*before), json::Value(parents))) return std::nullopt;
  return parents;
}

std::optional<json::Object> decide_gateway_status(const json::Object& gateway,
                                                  const std::string& address,
                                                  const std::vector<ListenerVerdict>& verdicts,
                                                  Time now) {
  const json::Object* before = api::object_in(gateway, "status");
  const std::int64_t generation = api::generation_of(gateway);
  const auto holds = [&](auto part) {
    return std::ranges::all_of(verdicts, [&](const auto& v) { return (v.*part).holds; });
  };
  const bool accepted = holds(&ListenerVerdict::accepted);
  const bool programmed = holds(&ListenerVerdict::programmed);
  const bool any = std::ranges::any_of(verdicts, [](const auto& v) { return v.accepted.holds; });
  const Verdict is_accepted{any, accepted ? "Accepted" : "ListenersNotValid",
                            accepted ? "the Gateway is in effect"
                                     : "not all listeners are accepted; see their conditions"};
  const Verdict is_programmed{
      programmed, programmed ? "Programmed" : "Invalid",
      programmed ? "the proxy listens for all listeners"
                 : "not all listeners are listened for: " + silent_listeners(verdicts)};
  const json::Array* old = conditions_of(before);
  const json::Array* old_listeners = before ? api::array_in(*before, "listeners") : nullptr;
  json::Array listeners;
  for (const ListenerVerdict& verdict : verdicts)
    listeners.push_back(listener_status(verdict, generation, old_listeners, now));
  json::Object status{
      {"addresses", json::Array{json::Object{{"type", "IPAddress"}, {"value", address}}}},
      {"conditions", json::Array{condition("Accepted", is_accepted, generation, old, now),
                                 condition("Programmed", is_programmed, generation, old, now)}},
      {"listeners", std::move(listeners)}};
  if (before && json::same(json::Value(*before), json::Value(status))) return std::nullopt;
  return status;
}

std::string silent_listeners(const std::vector<ListenerVerdict>& verdicts) {
  std::string text;
  for (const ListenerVerdict& verdict : verdicts) {
    const Verdict& why = verdict.accepted.holds ? verdict.programmed : verdict.accepted;
    if (why.holds) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", verdict.name, why.message);
  }
  return text;
}

std::optional<json::Array> decide_service_conditions(const json::Object& service,
                                                     const std::string& silent, Time now) {
  const json::Array* before = conditions_of(api::object_in(service, "status"));
  const json::Object* known = find_by(before, "type", kListening);
  if (!known && silent.empty()) return std::nullopt;
  const Verdict verdict{silent.empty(), silent.empty() ? "Listening" : "NotListening",
                        silent.empty() ? "the proxy listens at all ports" : silent};
  json::Object wanted = condition(kListening, verdict, api::generation_of(service), before, now);
  if (known && json::same(json::Value(*known), json::Value(wanted))) return std::nullopt;
  json::Array conditions;
  if (before)
    for (const json::Value& item : *before)
      if (!item.is_object() || &item.get_object() != known) conditions.push_back(item);
  conditions.push_back(std::move(wanted));
  return conditions;
}

std::string render_shifted(const std::map<std::int32_t, std::int32_t>& ports) {
  std::string text;
  for (const auto& [port, at] : ports)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", port, at);
  return text;
}

}  // namespace slipway::runtime::traffic
