#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/template_hash.h"
#include "base/text.h"
#include "cli/rollout/changes.h"
#include "cli/tree/branches.h"
#include "rollout/objects/fields.h"

namespace slipway::cli {

namespace {

namespace argo = api::argo;

constexpr std::string_view kLists[] = {"containers", "initContainers", "ephemeralContainers"};

// Without what the controller put in: labels and annotations of the set's part.
void take_out_metadata(json::Value& pod_template, const json::Value& set) {
  const auto injected = json::read(api::annotation_of(set.get_object(), argo::kEphemeralMetadata));
  for (const std::string_view member : {"labels", "annotations"}) {
    json::Value* map = json::at(pod_template, {"metadata", member});
    if (map == nullptr || !map->is_object()) continue;
    if (member == "labels") json::erase(map->get_object(), argo::kHashLabel);
    const json::Value* ours = injected ? json::at(*injected, {member}) : nullptr;
    if (ours == nullptr || !ours->is_object()) continue;
    for (const auto& [key, value] : ours->get_object()) json::erase(map->get_object(), key);
  }
}

bool is_injected(const json::Value& rule) {
  const json::Value* term = json::at(rule, {"podAffinityTerm"});
  const json::Value* wanted =
      json::at(term != nullptr ? *term : rule, {"labelSelector", "matchExpressions"});
  return wanted != nullptr && wanted->is_array() && wanted->get_array().size() == 1 &&
         json::string_at(wanted->get_array()[0], {"key"}) == argo::kHashLabel;
}

bool is_empty_object(const json::Value* value) {
  return value != nullptr && value->is_object() && value->get_object().empty();
}

// Nor the rule that keeps its Pods away from those of another set.
void take_out_affinity(json::Value& pod_template) {
  json::Value* rules = json::at(pod_template, {"spec", "affinity", "podAntiAffinity"});
  if (rules == nullptr || !rules->is_object()) return;
  bool changed = false;
  for (const std::string_view list : {"preferredDuringSchedulingIgnoredDuringExecution",
                                      "requiredDuringSchedulingIgnoredDuringExecution"}) {
    json::Value* found = json::at(*rules, {list});
    if (found == nullptr || !found->is_array()) continue;
    json::Array kept;
    for (const json::Value& rule : found->get_array())
      if (!is_injected(rule)) kept.push_back(rule);
    if (kept.size() == found->get_array().size()) continue;
    changed = true;
    if (kept.empty())
      json::erase(rules->get_object(), list);
    else
      *found = std::move(kept);
  }
  if (!changed || !is_empty_object(rules)) return;
  json::erase(json::at(pod_template, {"spec", "affinity"})->get_object(), "podAntiAffinity");
  if (is_empty_object(json::at(pod_template, {"spec", "affinity"})))
    json::erase(json::at(pod_template, {"spec"})->get_object(), "affinity");
}

using Revisions = std::map<std::int64_t, const json::Value*>;

Revisions revisions_in(const std::vector<const json::Value*>& sets) {
  Revisions revisions;
  for (const json::Value* set : sets) {
    const auto number =
        rollout::parse_number(api::annotation_of(set->get_object(), argo::kRevision));
    if (number) revisions[*number] = set;
  }
  return revisions;
}

json::Value without_injected(json::Value pod_template, const json::Value& set) {
  take_out_metadata(pod_template, set);
  take_out_affinity(pod_template);
  return pod_template;
}

// What users wrote of it; null when it has none.
json::Value template_of(const json::Value& set) {
  const json::Value* there = json::at(set, {"spec", "template"});
  return there != nullptr && there->is_object() ? without_injected(*there, set) : json::Value();
}

bool is_written(const TemplateHome& home, const json::Value& pod_template) {
  const json::Value* now = template_in(home);
  return now != nullptr && pod_template.is_object() &&
         api::same_template(now->get_object(), pod_template.get_object());
}

// What is written there has no set yet, or never gets one: the spec may be invalid. A label that is
// in the template and overwritten in the set is no difference.
bool is_without_set(const TemplateHome& home, const json::Value& latest) {
  const json::Value* now = template_in(home);
  const json::Value known = template_of(latest);
  return now != nullptr && known.is_object() &&
         !api::same_template(without_injected(*now, latest).get_object(), known.get_object());
}

// An update that was begun after one that was aborted goes back to what runs, not to that one.
Result<Revisions::value_type> one_before(const Revisions& revisions, const TemplateHome& home,
                                         const std::string& stable) {
  const auto found = std::ranges::find_if(revisions, [&](const auto& one) {
    return !stable.empty() &&
           rollout::label_of(one.second->get_object(), argo::kHashLabel) == stable;
  });
  if (!revisions.empty() && is_without_set(home, *revisions.rbegin()->second))
    return found != revisions.end() ? *found : *revisions.rbegin();
  if (revisions.size() < 2)
    return fail(ErrorCode::kInvalid, "there is no revision before this one to go back to");
  const auto latest = std::prev(revisions.end());
  return found != revisions.end() && found != latest ? *found : *std::prev(latest);
}

Result<Revisions::value_type> find_revision(const Revisions& revisions, const TemplateHome& home,
                                            const Destination& to) {
  const std::int64_t wanted = to.revision;
  if (wanted == 0) return one_before(revisions, home, to.stable_hash);
  if (const auto found = revisions.find(wanted); found != revisions.end()) return *found;
  std::vector<std::string> known;
  for (const auto& [number, set] : revisions) known.push_back(std::to_string(number));
  return fail(ErrorCode::kInvalid,
              known.empty()
                  ? fmt::format("revision {} is not in the history; there is none", wanted)
                  : fmt::format("revision {} is not in the history; write {}", wanted,
                                text::either(known)));
}

// Each change is bound to the container's name, so that a list that was edited meanwhile is none of
// its business.
bool assign(const Assignment& wanted, const TemplateHome& home, json::Array& patch) {
  bool found = false;
  for (const std::string_view list : kLists) {
    const json::Value* containers = json::at(*template_in(home), {"spec", list});
    if (containers == nullptr || !containers->is_array()) continue;
    for (std::size_t i = 0; i < containers->get_array().size(); ++i) {
      const json::Value& one = containers->get_array()[i];
      const std::string_view name = json::string_at(one, {"name"});
      if (name != wanted.container && wanted.container != "*") continue;
      found = true;
      if (json::string_at(one, {"image"}) == wanted.image) continue;
      const std::string at = fmt::format("{}/spec/{}/{}", home.pointer, list, i);
      patch.push_back(json::Object{{"op", "test"}, {"path", at + "/name"}, {"value", name}});
      patch.push_back(
          json::Object{{"op", "add"}, {"path", at + "/image"}, {"value", wanted.image}});
    }
  }
  return found;
}

std::vector<std::string> containers_in(const TemplateHome& home) {
  std::vector<std::string> names;
  for (const std::string_view list : kLists) {
    const json::Value* containers = json::at(*template_in(home), {"spec", list});
    if (containers == nullptr || !containers->is_array()) continue;
    for (const json::Value& one : containers->get_array())
      names.emplace_back(json::string_at(one, {"name"}));
  }
  return names;
}

}  // namespace

const json::Value* template_in(const TemplateHome& home) {
  const json::Value* found = home.pointer == "/template"
                                 ? json::at(home.document, {"template"})
                                 : json::at(home.document, {"spec", "template"});
  return found != nullptr && found->is_object() ? found : nullptr;
}

Result<TemplateChange> decide_undo(const std::vector<const json::Value*>& sets,
                                   const TemplateHome& home, const Destination& to) {
  const auto found = find_revision(revisions_in(sets), home, to);
  if (!found) return std::unexpected(found.error());
  json::Value wanted = template_of(*found->second);
  if (!wanted.is_object())
    return fail(ErrorCode::kInvalid,
                fmt::format("the ReplicaSet of revision {} has no Pod template", found->first));
  if (is_written(home, wanted))
    return TemplateChange{.done =
                              fmt::format("has the template of revision {} already", found->first)};
  const std::string images = fmt::format("{}", fmt::join(images_of(wanted), ", "));
  const json::Array patch{
      json::Object{{"op", "replace"}, {"path", home.pointer}, {"value", std::move(wanted)}}};
  return TemplateChange{
      .patch = json::write(patch),
      .done = fmt::format("rolled back to revision {} ({})", found->first, images)};
}

Result<Assignment> parse_assignment(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return fail(
        ErrorCode::kInvalid,
        fmt::format("\"{}\" is no container=image; write for example web=example/web:2.0", text));
  return Assignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<TemplateChange> decide_images(const std::vector<std::string>& assignments,
                                     const TemplateHome& home) {
  if (template_in(home) == nullptr)
    return fail(ErrorCode::kInvalid, "there is no Pod template to set an image in");
  json::Array patch;
  for (const std::string& text : assignments) {
    const auto wanted = parse_assignment(text);
    if (!wanted) return std::unexpected(wanted.error());
    if (!assign(*wanted, home, patch))
      return fail(ErrorCode::kInvalid,
                  fmt::format("there is no container \"{}\"; write {}", wanted->container,
                              text::either(containers_in(home))));
  }
  if (patch.empty()) return TemplateChange{.done = "has this image already"};
  return TemplateChange{.patch = json::write(patch), .done = "image updated"};
}

}  // namespace slipway::cli
