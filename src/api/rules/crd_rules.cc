#include "api/rules/crd_rules.h"

#include <fmt/format.h>
#include <algorithm>

#include "api/object.h"
#include "api/rules/crd_names.h"
#include "api/rules/crd_parts.h"
#include "api/rules/members.h"
#include "base/text.h"

namespace slipway::api {

namespace {

using text::lower;

void check_label(const std::string& path, std::string_view value, std::string_view before,
                 Findings& findings) {
  if (value.empty()) return findings.required(path);
  std::string problem = dns_1035_label_problem(before.empty() ? std::string(value) : lower(value));
  if (!problem.empty()) findings.invalid(path, json::Value(value), std::string(before) + problem);
}

void check_labels(const json::Object& names, std::string_view key, Findings& findings) {
  const std::vector<std::string> words = texts_in(names, key);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::string problem = dns_1035_label_problem(words[i]); !problem.empty())
      findings.invalid(fmt::format("spec.names.{}[{}]", key, i), json::Value(words[i]), problem);
  }
}

void check_names(const json::Object& names, Findings& findings) {
  constexpr std::string_view kMixed = "may have mixed case, but should otherwise match: ";
  std::string_view kind = text_in(names, "kind"), singular = text_in(names, "singular"),
                   list = text_in(names, "listKind");
  bool has_kind = !kind.empty();  // the other two have defaults then
  check_label("spec.names.plural", text_in(names, "plural"), "", findings);
  if (!has_kind || !singular.empty()) {
    check_label("spec.names.singular", singular, "", findings);
  }
  check_label("spec.names.kind", kind, kMixed, findings);
  if (!has_kind || !list.empty()) check_label("spec.names.listKind", list, kMixed, findings);
  check_labels(names, "shortNames", findings);
  if (has_kind && list == kind) {
    findings.invalid("spec.names.listKind", json::Value(list),
                     "kind and listKind may not be the same");
  }
  check_labels(names, "categories", findings);
}

void check_group(const json::Object& spec, Findings& findings) {
  std::string group(text_in(spec, "group"));
  if (group.empty()) {
    findings.required("spec.group");
  } else if (std::string problem = dns_subdomain_problem(group); !problem.empty()) {
    findings.invalid("spec.group", json::Value(group), problem);
  } else if (group.find('.') == std::string::npos) {
    findings.invalid("spec.group", json::Value(group), "should be a domain with at least one dot");
  }
  std::string_view scope = text_in(spec, "scope");
  if (scope.empty()) {
    findings.required("spec.scope");
  } else if (scope != "Cluster" && scope != "Namespaced") {
    findings.not_supported("spec.scope", json::Value(scope), {"Cluster", "Namespaced"});
  }
}

// Kubernetes lifts what all versions share to the top before it looks: with one version, paths
// begin there.
void check_version(const json::Object& version, std::size_t index, bool alone, Patterns& patterns,
                   Findings& findings) {
  std::string path = fmt::format("spec.versions[{}]", index);
  std::string_view name = text_in(version, "name");
  if (std::string problem = dns_1035_label_problem(name); !problem.empty()) {
    findings.invalid(path + ".name", json::Value(name), problem);
    if (index == 0) findings.invalid("spec.version", json::Value(name), problem);
  }
  check_deprecation(version, path, findings);
  const json::Object* holder = object_in(version, "schema");
  const json::Object* schema = holder == nullptr ? nullptr : object_in(*holder, "openAPIV3Schema");
  if (schema == nullptr) {
    findings.required(path + ".schema.openAPIV3Schema");
  } else {
    check_structural_schema(
        *schema, alone ? "spec.validation.openAPIV3Schema" : path + ".schema.openAPIV3Schema",
        patterns, findings);
  }
  check_version_parts(version, schema, alone ? "spec" : path, findings);
}

void check_versions(const json::Object& spec, Patterns& patterns, Findings& findings) {
  const json::Value* found = spec.if_contains("versions");
  const json::Array* versions = found == nullptr ? nullptr : found->if_array();
  int storage = 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; versions != nullptr && i < versions->size(); ++i) {
    if (!(*versions)[i].is_object()) {
      findings.wrong_type(fmt::format("spec.versions[{}]", i), (*versions)[i], "object");
      continue;
    }
    const json::Object& version = (*versions)[i].get_object();
    check_version(version, i, versions->size() == 1, patterns, findings);
    if (flag_in(version, "storage")) ++storage;
    names.emplace_back(text_in(version, "name"));
  }
  json::Value shown = found == nullptr ? json::Value(nullptr) : *found;
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) {
    findings.invalid("spec.versions", shown, "must contain unique version names");
  }
  if (storage != 1) {
    findings.invalid("spec.versions", shown,
                     "must have exactly one version marked as storage version");
  }
}

bool has_storage_version(const json::Object& spec) {
  const json::Array* versions = array_in(spec, "versions");
  return versions != nullptr && std::ranges::any_of(*versions, [](const json::Value& version) {
           return version.is_object() && flag_in(version.get_object(), "storage");
         });
}

void set_crd_defaults(json::Object& crd) {
  json::Value* found = crd.if_contains("spec");
  if (found == nullptr || !found->is_object()) return;
  json::Value& spec = *found;
  json::Value* given = spec.get_object().if_contains("names");
  if (given == nullptr || !given->is_object()) return;
  json::Value& names = *given;
  std::string kind(text_in(names.get_object(), "kind"));
  if (kind.empty()) return;
  if (text_in(names.get_object(), "singular").empty()) names.get_object()["singular"] = lower(kind);
  if (text_in(names.get_object(), "listKind").empty())
    names.get_object()["listKind"] = kind + "List";
  if (!spec.get_object().contains("conversion"))
    spec.get_object()["conversion"] = {{"strategy", "None"}};
}

json::Object condition(std::string_view type, std::string_view reason, std::string_view message,
                       std::string_view time) {
  json::Object out{{"type", type}, {"status", "True"}, {"reason", reason}, {"message", message}};
  if (!time.empty()) out["lastTransitionTime"] = time;
  return out;
}

// Those that objects were ever kept in. Only whoever has migrated them may take one away, through
// the status; a new spec adds its own.
json::Array stored_versions(const json::Object& spec, const json::Object* status,
                            const json::Object* old) {
  json::Array stored;
  const json::Array* before = status == nullptr ? nullptr : array_in(*status, "storedVersions");
  if (before != nullptr) stored = *before;
  const json::Object* old_spec = old == nullptr ? nullptr : object_in(*old, "spec");
  if (old_spec != nullptr && json::same(*old_spec, spec)) return stored;
  const json::Array* versions = array_in(spec, "versions");
  if (versions == nullptr) return stored;
  for (const json::Value& version : *versions) {
    if (!version.is_object() || !flag_in(version.get_object(), "storage")) continue;
    json::Value name(text_in(version.get_object(), "name"));
    if (std::ranges::find(stored, name) == stored.end()) stored.push_back(std::move(name));
  }
  return stored;
}

void prepare_crd(json::Object& crd, const json::Object* old) {
  const json::Object* spec = object_in(crd, "spec");
  if (spec == nullptr) return;
  json::Object status;
  const json::Object* before = old == nullptr ? nullptr : object_in(crd, "status");
  if (before != nullptr && before->contains("conditions")) {
    status["conditions"] = before->at("conditions");
  } else {
    const json::Object* metadata = metadata_of(std::as_const(crd));
    std::string_view time =
        metadata == nullptr ? std::string_view() : text_in(*metadata, "creationTimestamp");
    json::Array conditions;
    conditions.push_back(condition("NamesAccepted", "NoConflicts", "no conflicts found", time));
    conditions.push_back(condition("Established", "InitialNamesAccepted",
                                   "the initial names have been accepted", time));
    status["conditions"] = std::move(conditions);
  }
  if (const json::Object* names = object_in(*spec, "names")) {
    // Which of them are accepted beside those of others is decided where others are known.
    const json::Object* old_spec = old == nullptr ? nullptr : object_in(*old, "spec");
    const json::Object* old_names = old_spec == nullptr ? nullptr : object_in(*old_spec, "names");
    const bool decided = old_names != nullptr && json::same(*old_names, *names) &&
                         before != nullptr && before->contains("acceptedNames");
    status["acceptedNames"] = decided ? before->at("acceptedNames") : json::Value(*names);
  }
  status["storedVersions"] = stored_versions(*spec, before, old);
  crd["status"] = std::move(status);
}

void check_stored_versions(const json::Object& crd, Findings& findings) {
  const json::Object *spec = object_in(crd, "spec"), *status = object_in(crd, "status");
  const json::Array* versions = spec == nullptr ? nullptr : array_in(*spec, "versions");
  const json::Array* stored = status == nullptr ? nullptr : array_in(*status, "storedVersions");
  if (versions == nullptr || !has_storage_version(*spec)) return;
  if (stored == nullptr || stored->empty()) {
    return findings.invalid("status.storedVersions",
                            stored == nullptr ? json::Value(nullptr) : json::Value(*stored),
                            "must have at least one stored version");
  }
  auto is_in_spec = [&](const json::Value& name) {
    return std::ranges::any_of(*versions, [&](const json::Value& version) {
      return version.is_object() && json::Value(text_in(version.get_object(), "name")) == name;
    });
  };
  for (const json::Value& version : *versions) {
    if (!version.is_object() || !flag_in(version.get_object(), "storage")) continue;
    std::string_view name = text_in(version.get_object(), "name");
    if (std::ranges::find(*stored, json::Value(name)) == stored->end()) {
      findings.invalid("status.storedVersions", json::Value(*stored),
                       fmt::format("must have the storage version {}", name));
    }
  }
  for (std::size_t i = 0; i < stored->size(); ++i) {
    const json::Value& name = (*stored)[i];
    if (is_in_spec(name) || !name.is_string()) continue;
    findings.invalid(
        fmt::format("status.storedVersions[{}]", i), name,
        fmt::format("missing from spec.versions; {0} was previously a storage version, and must "
                    "remain in spec.versions until a storage migration ensures no data remains "
                    "persisted in {0} and removes {0} from status.storedVersions",
                    std::string_view(name.get_string())));
  }
}

void check_crd_change(const json::Object& crd, const json::Object& old, Findings& findings) {
  const json::Object *now = object_in(crd, "spec"), *before = object_in(old, "spec");
  if (now == nullptr || before == nullptr) return;
  // Until it is served there are no objects that scope and kind could belong to.
  const bool is_served = is_established(old);
  for (std::string_view field : {"group", "scope"}) {
    if (field == "scope" && !is_served) continue;
    std::string_view is = text_in(*now, field);
    if (is != text_in(*before, field)) {
      findings.invalid(fmt::format("spec.{}", field), json::Value(is), "field is immutable");
    }
  }
  const json::Object *names = object_in(*now, "names"), *old_names = object_in(*before, "names");
  if (is_served && names && old_names && text_in(*names, "kind") != text_in(*old_names, "kind"))
    findings.invalid("spec.names.kind", json::Value(text_in(*names, "kind")), "field is immutable");
}

}  // namespace

void check_crd(const json::Object& crd, Findings& findings) {
  Patterns patterns;
  check_crd(crd, patterns, findings);
}

void check_crd(const json::Object& crd, Patterns& patterns, Findings& findings) {
  static const json::Object kNothing;
  const json::Object* given = object_in(crd, "spec");
  const json::Object& spec = given == nullptr ? kNothing : *given;
  const json::Object* named = object_in(spec, "names");
  const json::Object& names = named == nullptr ? kNothing : *named;
  if (name_of(crd) != fmt::format("{}.{}", text_in(names, "plural"), text_in(spec, "group"))) {
    findings.invalid("metadata.name", json::Value(name_of(crd)),
                     "must be spec.names.plural+\".\"+spec.group");
  }
  check_group(spec, findings);
  check_versions(spec, patterns, findings);
  check_names(names, findings);
  if (!has_storage_version(spec)) {
    findings.invalid("status.storedVersions", json::Value(nullptr),
                     "must have at least one stored version");
  }
}

KindRules crd_rules() {
  return {.set_defaults = set_crd_defaults,
          .prepare = prepare_crd,
          .validate = [](const json::Object& crd, const json::Object* old, Findings& findings) {
            check_crd(crd, findings);
            if (old == nullptr) return;
            check_crd_change(crd, *old, findings);
            check_stored_versions(crd, findings);
          }};
}

}  // namespace slipway::api
