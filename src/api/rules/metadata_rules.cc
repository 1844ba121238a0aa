#include <fmt/format.h>
#include <algorithm>
#include <cctype>

#include "api/object.h"
#include "api/rules/finalizer_names.h"
#include "api/rules/members.h"
#include "api/rules/validate.h"

namespace slipway::api {

namespace {

constexpr std::size_t kMaxAnnotationBytes = 256 * 1024;

std::string name_problem(std::string_view name, NameRule rule) {
  switch (rule) {
    case NameRule::kLabel:
      return dns_label_problem(name);
    case NameRule::kLabel1035:
      return dns_1035_label_problem(name);
    case NameRule::kSubdomain:
      break;
  }
  return dns_subdomain_problem(name);
}

// A generated name continues after the prefix, so that it may end in a dash. Like Kubernetes, this
// looks at neither of its last two characters.
std::string prefix_problem(std::string_view prefix, NameRule rule) {
  std::string masked(prefix);
  if (masked.size() > 1 && masked.back() == '-') masked.replace(masked.size() - 2, 2, "a");
  return name_problem(masked, rule);
}

void check_text(Findings& findings, std::string_view field, std::string_view value,
                std::string problem) {
  if (!problem.empty())
    findings.invalid(std::string(field), json::Value(value), std::move(problem));
}

void check_labels(const json::Object& metadata, Findings& findings) {
  const json::Object* labels = object_in(metadata, "labels");
  if (labels == nullptr) return;
  for (const auto& [key, value] : *labels) {
    check_text(findings, "metadata.labels", key, qualified_name_problem(key));
    if (!value.is_string()) continue;
    std::string_view text(value.get_string().data(), value.get_string().size());
    check_text(findings, "metadata.labels", text, label_value_problem(text));
  }
}

void check_annotations(const json::Object& metadata, Findings& findings) {
  const json::Object* annotations = object_in(metadata, "annotations");
  if (annotations == nullptr) return;
  std::size_t bytes = 0;
  for (const auto& [key, value] : *annotations) {
    std::string lower(key);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    check_text(findings, "metadata.annotations", key, qualified_name_problem(lower));
    bytes += key.size() + (value.is_string() ? value.get_string().size() : 0);
  }
  if (bytes > kMaxAnnotationBytes) findings.too_long("metadata.annotations", kMaxAnnotationBytes);
}

void check_owners(const json::Object& object, Findings& findings) {
  const std::string path = "metadata.ownerReferences";
  std::string controller;
  for (const OwnerReference& owner : owners_of(object)) {
    if (parse_gvk(owner.api_version, owner.kind).version.empty()) {
      findings.invalid(path + ".apiVersion", json::Value(owner.api_version),
                       "version must not be empty");
    }
    for (auto [field, text] :
         {std::pair{".kind", &owner.kind}, {".name", &owner.name}, {".uid", &owner.uid}}) {
      if (text->empty()) findings.invalid(path + field, json::Value(*text), "must not be empty");
    }
    if (!owner.controller) continue;
    std::string current = owner.kind + "/" + owner.name;
    if (!controller.empty()) {
      findings.invalid(
          path, object.at("metadata").at("ownerReferences"),
          fmt::format(
              "Only one reference can have Controller set to true. Found \"true\" in references "
              "for {} and {}",
              controller, current));
    } else {
      controller = std::move(current);
    }
  }
}

void check_finalizers(const json::Object& object, const json::Object* old, Findings& findings) {
  const std::string path = "metadata.finalizers";
  std::vector<std::string> finalizers = finalizers_of(object);
  for (const std::string& one : finalizers)
    check_text(findings, path, one, qualified_name_problem(one));
  auto has = [](const std::vector<std::string>& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
  };
  if (has(finalizers, "orphan") && has(finalizers, "foregroundDeletion")) {
    findings.invalid(path, json::Array(finalizers.begin(), finalizers.end()),
                     "finalizer orphan and foregroundDeletion cannot be both set");
  }
  if (old == nullptr || !is_deleting(*old)) return;
  std::vector<std::string> before = finalizers_of(*old), added;
  std::ranges::copy_if(finalizers, std::back_inserter(added),
                       [&](auto& one) { return !has(before, one); });
  if (added.empty()) return;
  std::ranges::sort(added);
  findings.forbidden(
      path, fmt::format("no new finalizers can be added if the object is being deleted, found new "
                        "finalizers []string{{\"{}\"}}",
                        fmt::join(added, "\", \"")));
}

void check_unchanged(const json::Object& object, const json::Object& old, Findings& findings) {
  const json::Object *now = metadata_of(object), *before = metadata_of(old);
  if (now == nullptr || before == nullptr) return;
  for (std::string_view key : {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                               "deletionGracePeriodSeconds"}) {
    const json::Value *is = now->if_contains(key), *was = before->if_contains(key);
    bool same = is == nullptr || was == nullptr ? is == was : json::same(*is, *was);
    if (!same) {
      findings.invalid(fmt::format("metadata.{}", key), is == nullptr ? json::Value("") : *is,
                       "field is immutable");
    }
  }
}

void check_names(const json::Object& object, const json::Object& metadata, const Resource& resource,
                 Findings& findings) {
  std::string_view prefix = text_in(metadata, "generateName");
  if (!prefix.empty()) {
    check_text(findings, "metadata.generateName", prefix,
               prefix_problem(prefix, resource.name_rule));
  }
  std::string_view name = name_of(object), ns = namespace_of(object);
  if (name.empty()) {
    findings.required("metadata.name", "name or generateName is required");
  } else {
    check_text(findings, "metadata.name", name, name_problem(name, resource.name_rule));
  }
  if (!resource.namespaced) {
    if (!ns.empty()) findings.forbidden("metadata.namespace", "not allowed on this type");
  } else if (ns.empty()) {
    findings.required("metadata.namespace");
  } else {
    check_text(findings, "metadata.namespace", ns, dns_label_problem(ns));
  }
}

}  // namespace

void check_metadata(const json::Object& object, const json::Object* old, const Resource& resource,
                    Findings& findings) {
  const json::Object* metadata = metadata_of(object);
  if (metadata == nullptr)
    return findings.required("metadata.name", "name or generateName is required");
  if (old == nullptr) {
    check_names(object, *metadata, resource, findings);
  } else {
    check_unchanged(object, *old, findings);
  }
  check_labels(*metadata, findings);
  check_annotations(*metadata, findings);
  check_owners(object, findings);
  check_finalizers(object, old, findings);
  if (!resource.native) return;
  const std::vector<std::string> finalizers = finalizers_of(object);
  for (std::size_t i = 0; i < finalizers.size(); ++i)
    check_finalizer_domain(fmt::format("metadata.finalizers[{}]", i), finalizers[i], findings);
}

void check_finalizer_domain(const std::string& path, const std::string& name, Findings& findings) {
  const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
  if (standard || name.find('/') != std::string::npos) return;
  findings.invalid(path, json::Value(name),
                   "name is neither a standard finalizer name nor is it fully qualified");
}

void check_namespace_finalizer(const std::string& path, const std::string& name,
                               Findings& findings) {
  std::string problem = qualified_name_problem(name);
  if (problem.empty()) return check_finalizer_domain(path, name, findings);
  findings.invalid(path, json::Value(name), std::move(problem));
}

}  // namespace slipway::api
