#include "cli/served_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "http/message.h"

namespace slipway::cli {

namespace {

std::vector<std::string> strings(const json::Value* list) {
  std::vector<std::string> found;
  if (list && list->is_array())
    for (const auto& word : list->get_array())
      if (word.is_string()) found.emplace_back(word.get_string());
  return found;
}

bool answers_to(const ServedKind& kind, const std::string& word) {
  const auto dot = word.find('.');
  const std::string name = word.substr(0, dot);
  if (dot != std::string::npos) {
    const std::string rest = word.substr(dot + 1);
    if (rest != kind.group && rest != kind.version + "." + kind.group) return false;
  }
  return name == kind.plural || name == kind.singular || name == text::lower(kind.kind) ||
         std::ranges::find(kind.short_names, name) != kind.short_names.end();
}

}  // namespace

std::string ServedKind::object_name(std::string_view name) const {
  const std::string word = singular.empty() ? text::lower(kind) : singular;
  return fmt::format("{}{}{}/{}", word, group.empty() ? "" : ".", group, name);
}

std::string ServedKind::path(std::string_view ns) const {
  std::string path =
      group.empty() ? fmt::format("/api/{}", version) : fmt::format("/apis/{}/{}", group, version);
  if (namespaced && !ns.empty()) path += fmt::format("/namespaces/{}", http::percent_encode(ns));
  return path + "/" + plural;
}

std::string ServedKind::path(std::string_view ns, std::string_view name) const {
  return path(ns) + "/" + http::percent_encode(name);
}

std::vector<ServedKind> read_discovery(const json::Value& document) {
  std::vector<ServedKind> kinds;
  const json::Value* groups = json::at(document, {"items"});
  if (!groups || !groups->is_array()) return kinds;
  for (const auto& group : groups->get_array()) {
    const json::Value* versions = json::at(group, {"versions"});
    if (!versions || !versions->is_array()) continue;
    for (const auto& version : versions->get_array()) {
      const json::Value* resources = json::at(version, {"resources"});
      if (!resources || !resources->is_array()) continue;
      for (const auto& resource : resources->get_array())
        kinds.push_back({.group = std::string(json::string_at(group, {"metadata", "name"})),
                         .version = std::string(json::string_at(version, {"version"})),
                         .plural = std::string(json::string_at(resource, {"resource"})),
                         .singular = std::string(json::string_at(resource, {"singularResource"})),
                         .kind = std::string(json::string_at(resource, {"responseKind", "kind"})),
                         .short_names = strings(json::at(resource, {"shortNames"})),
                         .categories = strings(json::at(resource, {"categories"})),
                         .namespaced = json::string_at(resource, {"scope"}) == "Namespaced"});
    }
  }
  return kinds;
}

const ServedKind* find_served(const std::vector<ServedKind>& kinds, std::string_view word) {
  const std::string wanted = text::lower(word);
  const auto found =
      std::ranges::find_if(kinds, [&](const ServedKind& kind) { return answers_to(kind, wanted); });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<ServedKind> find_category(const std::vector<ServedKind>& kinds, std::string_view word) {
  const std::string wanted = text::lower(word);
  std::vector<ServedKind> found;
  for (const auto& kind : kinds) {
    if (std::ranges::find(kind.categories, wanted) == kind.categories.end()) continue;
    const bool in_another_version = std::ranges::any_of(found, [&](const ServedKind& other) {
      return other.group == kind.group && other.plural == kind.plural;
    });
    if (!in_another_version) found.push_back(kind);
  }
  return found;
}

}  // namespace slipway::cli
