#include "api/crd_rules.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

#include "api/members.h"
#include "api/object.h"

namespace slipway::api {

namespace {

std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void check_label(const std::string& path, std::string_view value, std::string_view before,
                 Findings& findings) {
  if (value.empty()) return findings.required(path);
  std::string problem = dns_1035_label_problem(lower(value));
  if (!problem.empty()) findings.invalid(path, json::Value(value), std::string(before) + problem);
}

void check_names(const json::Object& spec, Findings& findings) {
  static const json::Object kNone;
  const json::Object* given = object_in(spec, "names");
  const json::Object& names = given == nullptr ? kNone : *given;
  std::string_view plural = text_in(names, "plural"), kind = text_in(names, "kind"),
                   list = text_in(names, "listKind");
  constexpr std::string_view kMixed = "may have mixed case, but should otherwise match: ";
  check_label("spec.names.plural", plural, "", findings);
  check_label("spec.names.kind", kind, kMixed, findings);
  if (!list.empty() && list == kind) {
    findings.invalid("spec.names.listKind", json::Value(list),
                     "kind and listKind may not be the same");
  }
}

void check_group(const json::Object& crd, const json::Object& spec, Findings& findings) {
  std::string group(text_in(spec, "group"));
  if (group.empty()) {
    findings.required("spec.group");
  } else if (std::string problem = dns_subdomain_problem(group); !problem.empty()) {
    findings.invalid("spec.group", json::Value(group), problem);
  } else if (group.find('.') == std::string::npos) {
    findings.invalid("spec.group", json::Value(group), "should be a domain with at least one dot");
  }
  const json::Object* names = object_in(spec, "names");
  std::string plural(names == nullptr ? std::string_view() : text_in(*names, "plural"));
  if (name_of(crd) != plural + "." + group) {
    findings.invalid("metadata.name", json::Value(name_of(crd)),
                     "must be spec.names.plural+\".\"+spec.group");
  }
  std::string_view scope = text_in(spec, "scope");
  if (scope.empty())
    findings.required("spec.scope");
  else if (scope != "Cluster" && scope != "Namespaced") {
    findings.not_supported("spec.scope", json::Value(scope), {"Cluster", "Namespaced"});
  }
}

void check_version(const json::Object& version, const std::string& path, Findings& findings) {
  std::string_view name = text_in(version, "name");
  if (std::string problem = dns_1035_label_problem(name); !problem.empty()) {
    findings.invalid(path + ".name", json::Value(name), problem);
  }
  const json::Object* holder = object_in(version, "schema");
  const json::Object* schema = holder == nullptr ? nullptr : object_in(*holder, "openAPIV3Schema");
  if (schema == nullptr)
    return findings.required(path + ".schema.openAPIV3Schema", "schemas are required");
  check_structural_schema(*schema, path + ".schema.openAPIV3Schema", findings);
}

void check_versions(const json::Object& spec, Findings& findings) {
  const json::Value* found = spec.if_contains("versions");
  const json::Array* versions = found == nullptr ? nullptr : found->if_array();
  if (versions == nullptr || versions->empty()) {
    return findings.invalid("spec.versions", json::Value(nullptr),
                            "must have exactly one version marked as storage version");
  }
  int storage = 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < versions->size(); ++i) {
    std::string path = fmt::format("spec.versions[{}]", i);
    if (!(*versions)[i].is_object()) {
      findings.wrong_type(path, (*versions)[i], "object");
      continue;
    }
    const json::Object& version = (*versions)[i].get_object();
    check_version(version, path, findings);
    if (flag_in(version, "storage")) ++storage;
    names.emplace_back(text_in(version, "name"));
  }
  if (storage != 1) {
    findings.invalid("spec.versions", *found,
                     "must have exactly one version marked as storage version");
  }
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) {
    findings.invalid("spec.versions", *found, "must contain unique version names");
  }
}

void set_crd_defaults(json::Object& crd) {
  json::Value& spec = crd["spec"];
  if (!spec.is_object()) return;
  json::Value& names = spec.get_object()["names"];
  if (!names.is_object()) return;
  std::string kind(text_in(names.get_object(), "kind"));
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

json::Array stored_versions(const json::Object& spec, const json::Object* old) {
  json::Array stored;
  const json::Object* status = old == nullptr ? nullptr : object_in(*old, "status");
  const json::Array* before = status == nullptr ? nullptr : array_in(*status, "storedVersions");
  if (before != nullptr) stored = *before;
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
  const json::Object* before = old == nullptr ? nullptr : object_in(*old, "status");
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
  if (const json::Object* names = object_in(*spec, "names")) status["acceptedNames"] = *names;
  status["storedVersions"] = stored_versions(*spec, old);
  crd["status"] = std::move(status);
}

void check_crd_change(const json::Object& crd, const json::Object& old, Findings& findings) {
  const json::Object *now = object_in(crd, "spec"), *before = object_in(old, "spec");
  if (now == nullptr || before == nullptr) return;
  for (std::string_view field : {"group", "scope"}) {
    std::string_view is = text_in(*now, field);
    if (is != text_in(*before, field)) {
      findings.invalid(fmt::format("spec.{}", field), json::Value(is), "field is immutable");
    }
  }
}

}  // namespace

void check_crd(const json::Object& crd, Findings& findings) {
  const json::Object* spec = object_in(crd, "spec");
  if (spec == nullptr) return findings.required("spec");
  check_group(crd, *spec, findings);
  check_versions(*spec, findings);
  check_names(*spec, findings);
}

KindRules crd_rules() {
  return {.set_defaults = set_crd_defaults,
          .prepare = prepare_crd,
          .validate = [](const json::Object& crd, const json::Object* old, Findings& findings) {
            check_crd(crd, findings);
            if (old != nullptr) check_crd_change(crd, *old, findings);
          }};
}

}  // namespace slipway::api
