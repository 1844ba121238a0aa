#include "control/namespace_conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace slipway::control {

namespace {

struct Condition {
  std::string_view type;
  bool holds = false;
  std::string_view reason;
  std::string message;
};

std::string listed(const std::map<std::string, std::size_t>& counts, std::string_view form) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts)
    parts.push_back(fmt::format(fmt::runtime(form), name, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Condition> conditions_of(const NamespaceContent& left) {
  std::vector<Condition> all = {
      {"NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
       "All resources successfully discovered"},
      {"NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
       "All legacy kube types successfully parsed"},
      {"NamespaceDeletionContentFailure", false, "ContentDeleted",
       "All content successfully deleted, may be waiting on finalization"},
      {"NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed"},
      {"NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers",
       "All content-preserving finalizers finished"}};
  if (!left.kinds.empty())
    all[3] = {
        "NamespaceContentRemaining", true, "SomeResourcesRemain",
        "Some resources are remaining: " + listed(left.kinds, "{} has {} resource instances")};
  if (!left.finalizers.empty())
    all[4] = {"NamespaceFinalizersRemaining", true, "SomeFinalizersRemain",
              "Some content in the namespace has finalizers remaining: " +
                  listed(left.finalizers, "{} in {} resource instances")};
  return all;
}

json::Object* find(json::Array& conditions, std::string_view type) {
  for (auto& one : conditions)
    if (json::string_at(one, {"type"}) == type) return one.if_object();
  return nullptr;
}

// False when it is there already.
bool set(json::Array& conditions, const Condition& wanted, Time now) {
  const std::string_view status = wanted.holds ? "True" : "False";
  json::Object* there = find(conditions, wanted.type);
  if (there && json::string_at(*there, {"status"}) == status &&
      json::string_at(*there, {"reason"}) == wanted.reason &&
      json::string_at(*there, {"message"}) == wanted.message)
    return false;
  // Whoever wrote it need not have said since when.
  const bool keeps = there && json::string_at(*there, {"status"}) == status &&
                     !json::string_at(*there, {"lastTransitionTime"}).empty();
  json::Object made{{"type", wanted.type},
                    {"status", status},
                    {"lastTransitionTime",
                     keeps ? there->at("lastTransitionTime") : json::Value(format_time(now))},
                    {"reason", wanted.reason},
                    {"message", wanted.message}};
  if (there)
    *there = std::move(made);
  else
    conditions.push_back(std::move(made));
  return true;
}

}  // namespace

bool set_conditions(json::Value& ns, const NamespaceContent& left, Time now) {
  json::Value& list = json::object_at(ns, {"status"})["conditions"];
  if (!list.is_array()) list = json::Array();
  bool changed = false;
  for (const Condition& wanted : conditions_of(left))
    changed = set(list.get_array(), wanted, now) || changed;
  return changed;
}

}  // namespace slipway::control
