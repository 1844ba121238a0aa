#include "store/kube/target.h"

#include <fmt/format.h>

#include "base/text.h"

namespace slipway::store::kube {

namespace {

// Requirements that exclude each other: a selector that selects nothing has no text of its own.
constexpr std::string_view kNothing = "slipway.dev/nothing,!slipway.dev/nothing";

std::string_view validation_text(FieldValidation validation) {
  switch (validation) {
    case FieldValidation::kIgnore:
      return "Ignore";
    case FieldValidation::kWarn:
      return "Warn";
    case FieldValidation::kStrict:
      break;
  }
  return "Strict";
}

std::string_view propagation_text(Propagation propagation) {
  switch (propagation) {
    case Propagation::kForeground:
      return "Foreground";
    case Propagation::kOrphan:
      return "Orphan";
    case Propagation::kBackground:
      break;
  }
  return "Background";
}

void append_escaped(std::string& out, std::string_view value) {
  for (char c : value) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
}

}  // namespace

std::string collection_path(const api::Resource& resource, std::string_view ns) {
  const api::Gvk& gvk = resource.gvk;
  std::string path = gvk.group.empty() ? "/api/" + gvk.version
                                       : fmt::format("/apis/{}/{}", gvk.group, gvk.version);
  if (resource.namespaced && !ns.empty()) path += "/namespaces/" + http::percent_encode(ns);
  return path + "/" + resource.plural;
}

std::string object_path(const api::Resource& resource, const Key& key,
                        std::string_view subresource) {
  std::string path = collection_path(resource, key.ns) + "/" + http::percent_encode(key.name);
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

Result<> check_names(std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return {};
  for (const auto& segment : text::split(path, '/')) {
    if (segment.empty()) return fail(ErrorCode::kBadRequest, "a resource name may not be empty");
    if (segment == "." || segment == "..")
      return fail(ErrorCode::kBadRequest,
                  fmt::format("\"{}\" is no name of an object or a namespace", segment));
  }
  return {};
}

std::string with_query(std::string path, const Query& query) {
  if (!query.empty()) path += "?" + http::format_query(query);
  return path;
}

std::string field_selector_text(const api::FieldSelector& selector) {
  std::string text;
  for (const api::FieldRequirement& requirement : selector.requirements) {
    if (!text.empty()) text += ',';
    text += requirement.path;
    text += requirement.equal ? "=" : "!=";
    append_escaped(text, requirement.value);
  }
  return text;
}

Query selection_query(const api::LabelSelector& labels, const api::FieldSelector& fields) {
  Query query;
  if (labels.nothing) {
    query.emplace_back("labelSelector", kNothing);
  } else if (!labels.empty()) {
    query.emplace_back("labelSelector", api::to_string(labels));
  }
  if (!fields.empty()) query.emplace_back("fieldSelector", field_selector_text(fields));
  return query;
}

Query list_query(const ListOptions& options) {
  Query query = selection_query(options.labels, options.fields);
  if (options.limit != 0) query.emplace_back("limit", fmt::format_int(options.limit).str());
  if (!options.continue_token.empty()) query.emplace_back("continue", options.continue_token);
  return query;
}

Query watch_query(const WatchOptions& options, Version from, int timeout_seconds) {
  Query query = selection_query(options.labels, options.fields);
  query.emplace_back("watch", "true");
  query.emplace_back("allowWatchBookmarks", "true");
  query.emplace_back("resourceVersion", fmt::format_int(from).str());
  query.emplace_back("timeoutSeconds", fmt::format_int(timeout_seconds).str());
  return query;
}

Query write_query(const WriteOptions& options) {
  Query query;
  if (!options.manager.empty()) query.emplace_back("fieldManager", options.manager);
  query.emplace_back("fieldValidation", validation_text(options.validation));
  if (options.dry_run) query.emplace_back("dryRun", "All");
  return query;
}

std::string_view content_type_of(PatchType type) {
  switch (type) {
    case PatchType::kJson:
      return "application/json-patch+json";
    case PatchType::kStrategicMerge:
      return "application/strategic-merge-patch+json";
    case PatchType::kApply:
      return "application/apply-patch+yaml";
    case PatchType::kMerge:
      break;
  }
  return "application/merge-patch+json";
}

std::string delete_options_body(const DeleteOptions& options) {
  json::Object body{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  if (options.grace_seconds) body["gracePeriodSeconds"] = *options.grace_seconds;
  json::Object preconditions;
  if (!options.if_uid.empty()) preconditions["uid"] = options.if_uid;
  if (options.if_version) {
    preconditions["resourceVersion"] = fmt::format_int(*options.if_version).str();
  }
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  if (options.propagation) body["propagationPolicy"] = propagation_text(*options.propagation);
  if (options.dry_run) body["dryRun"] = json::Array{"All"};
  return json::write(body);
}

}  // namespace slipway::store::kube
