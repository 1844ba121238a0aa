#include "api/openapi/openapi_paths.h"

#include <fmt/format.h>

namespace slipway::api {

namespace {

constexpr std::string_view kPatchType = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
constexpr std::string_view kStatusType = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
constexpr std::string_view kScaleType = "io.k8s.api.autoscaling.v1.Scale";
constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

using Names = std::vector<std::string_view>;
const Names kWriteParameters = {"dryRun", "fieldManager", "fieldValidation"};
const Names kPatchParameters = {"dryRun", "fieldManager", "fieldValidation", "force"};
const Names kDeleteParameters = {"dryRun", "gracePeriodSeconds", "orphanDependents",
                                 "propagationPolicy"};
const Names kListParameters = {"allowWatchBookmarks",
                               "continue",
                               "fieldSelector",
                               "labelSelector",
                               "limit",
                               "resourceVersion",
                               "resourceVersionMatch",
                               "sendInitialEvents",
                               "timeoutSeconds",
                               "watch"};

std::string_view type_of_parameter(std::string_view name) {
  for (std::string_view flag :
       {"allowWatchBookmarks", "sendInitialEvents", "watch", "force", "orphanDependents"}) {
    if (name == flag) return "boolean";
  }
  for (std::string_view count : {"limit", "timeoutSeconds", "gracePeriodSeconds"}) {
    if (name == count) return "integer";
  }
  return "string";
}

class PathWriter {
 public:
  PathWriter(const Resource& resource, TypeWriter& types, OpenApi version)
      : resource_(resource), types_(types), v2_(version == OpenApi::kV2) {}

  void write(std::string_view type, std::string_view list, json::Object& paths) {
    std::string base = group_version_url(resource_.gvk);
    std::string everywhere = fmt::format("{}/{}", base, resource_.plural);
    std::string here = resource_.namespaced
                           ? fmt::format("{}/namespaces/{{namespace}}/{}", base, resource_.plural)
                           : everywhere;
    if (!resource_.stored) {
      paths[here] = json::Object{{"post", create(type)}};
      return;
    }
    if (resource_.namespaced)
      paths[everywhere] = json::Object{{"get", read("list", list, kListParameters)}};
    json::Object collection{{"get", read("list", list, kListParameters)}, {"post", create(type)}};
    collection["delete"] = remove("deletecollection");
    paths[here] = with_parameters(std::move(collection), false);
    std::string one = here + "/{name}";
    json::Object item = read_and_write(type);
    item["delete"] = remove("delete");
    paths[one] = with_parameters(std::move(item), true);
    if (resource_.status_subresource)
      paths[one + "/status"] = with_parameters(read_and_write(type), true);
    if (resource_.scale) write_scale(one, paths);
  }

 private:
  void write_scale(const std::string& one, json::Object& paths) {
    kind_ = {"autoscaling", "v1", "Scale"};
    paths[one + "/scale"] = with_parameters(read_and_write(kScaleType), true);
  }

  json::Object read_and_write(std::string_view type) {
    return {{"get", read("get", type, {})}, {"put", replace(type)}, {"patch", patch(type)}};
  }

  json::Object operation(std::string_view action, std::string_view type, const Names& names) {
    json::Object out;
    json::Array parameters;
    for (std::string_view name : names) parameters.push_back(parameter(name, "query"));
    if (!parameters.empty()) out["parameters"] = std::move(parameters);
    json::Object answer{{"description", "OK"}};
    if (v2_) {
      answer["schema"] = types_.reference(type);
      out["produces"] = json::Array{json::Value("application/json")};
    } else {
      answer["content"] = content({"application/json"}, type);
    }
    out["responses"] = json::Object{{"200", std::move(answer)}};
    out["x-kubernetes-action"] = action;
    out["x-kubernetes-group-version-kind"] =
        json::Object{{"group", kind_.group}, {"version", kind_.version}, {"kind", kind_.kind}};
    return out;
  }

  json::Object read(std::string_view action, std::string_view type, const Names& names) {
    return operation(action, type, names);
  }
  json::Object create(std::string_view type) {
    return with_body(operation("post", type, kWriteParameters), {"application/json"}, type);
  }
  json::Object replace(std::string_view type) {
    return with_body(operation("put", type, kWriteParameters), {"application/json"}, type);
  }
  json::Object remove(std::string_view action) {
    return with_body(operation(action, kStatusType, kDeleteParameters), {"application/json"},
                     kDeleteOptions);
  }
  json::Object patch(std::string_view type) {
    Names media = {"application/json-patch+json", "application/merge-patch+json",
                   "application/apply-patch+yaml"};
    // kubectl sends this form to every kind that lists it; custom resources have no merge keys.
    if (resource_.native) media.push_back("application/strategic-merge-patch+json");
    return with_body(operation("patch", type, kPatchParameters), media, kPatchType);
  }

  json::Object with_body(json::Object out, const Names& media, std::string_view type) {
    if (!v2_) {
      out["requestBody"] = json::Object{{"content", content(media, type)}};
      return out;
    }
    out["consumes"] = json::Array(media.begin(), media.end());
    json::Value& parameters = out["parameters"];
    if (!parameters.is_array()) parameters.emplace_array();
    parameters.get_array().push_back(json::Object{
        {"name", "body"}, {"in", "body"}, {"required", true}, {"schema", types_.reference(type)}});
    return out;
  }

  json::Object content(const Names& media, std::string_view type) {
    json::Object out;
    for (std::string_view one : media) out[one] = json::Object{{"schema", types_.reference(type)}};
    return out;
  }

  json::Object parameter(std::string_view name, std::string_view in) const {
    json::Object out{{"name", name}, {"in", in}};
    if (in == "path") out["required"] = true;
    if (v2_)
      out["type"] = type_of_parameter(name);
    else
      out["schema"] = json::Object{{"type", type_of_parameter(name)}};
    return out;
  }

  json::Object with_parameters(json::Object item, bool named) const {
    json::Array parameters;
    if (named) parameters.push_back(parameter("name", "path"));
    if (resource_.namespaced) parameters.push_back(parameter("namespace", "path"));
    if (!parameters.empty()) item["parameters"] = std::move(parameters);
    return item;
  }

  const Resource& resource_;
  TypeWriter& types_;
  bool v2_;
  Gvk kind_ = resource_.gvk;
};

}  // namespace

std::string group_version_url(const Gvk& gvk) {
  return gvk.group.empty() ? "/api/" + gvk.version
                           : fmt::format("/apis/{}/{}", gvk.group, gvk.version);
}

void write_paths(const Resource& resource, std::string_view type, std::string_view list,
                 TypeWriter& types, OpenApi version, json::Object& paths) {
  PathWriter(resource, types, version).write(type, list, paths);
}

}  // namespace slipway::api
