#include "api/kinds/builtin_kinds.h"

#include <algorithm>
#include <cctype>

#include "api/kinds/builtin_columns.h"
#include "api/rules/crd_rules.h"
#include "api/rules/rules.h"

namespace slipway::api {

namespace {

enum Trait : unsigned {
  kClusterScoped = 1,
  kStatus = 2,
  kScale = 4,
  kInAll = 8,
  kVirtual = 16,
  kCrdLike = 32
};

using Words = std::vector<std::string>;
struct Row {
  std::string_view api_version, kind, plural;
  Words short_names;
  unsigned traits;
  Words selectable;
};

const std::vector<Row> kRows = {
    {"v1", "Namespace", "namespaces", {"ns"}, kClusterScoped | kStatus, {"status.phase"}},
    {"v1",
     "Pod",
     "pods",
     {"po"},
     kStatus | kInAll,
     {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
      "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs",
      "status.nominatedNodeName"}},
    {"v1", "Service", "services", {"svc"}, kStatus | kInAll, {"spec.clusterIP", "spec.type"}},
    {"v1", "Endpoints", "endpoints", {"ep"}, 0, {}},
    {"v1", "ConfigMap", "configmaps", {"cm"}, 0, {}},
    {"v1", "Secret", "secrets", {}, 0, {"type"}},
    {"v1",
     "Event",
     "events",
     {"ev"},
     0,
     {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
      "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
      "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"}},
    {"v1", "ServiceAccount", "serviceaccounts", {"sa"}, 0, {}},
    {"v1", "PodTemplate", "podtemplates", {}, 0, {}},
    {"apps/v1", "Deployment", "deployments", {"deploy"}, kStatus | kScale | kInAll, {}},
    {"apps/v1",
     "ReplicaSet",
     "replicasets",
     {"rs"},
     kStatus | kScale | kInAll,
     {"status.replicas"}},
    {"batch/v1", "Job", "jobs", {}, kStatus | kInAll, {"status.successful"}},
    {"discovery.k8s.io/v1", "EndpointSlice", "endpointslices", {}, 0, {}},
    {"coordination.k8s.io/v1", "Lease", "leases", {}, 0, {}},
    {"networking.k8s.io/v1", "Ingress", "ingresses", {"ing"}, kStatus, {}},
    {"gateway.networking.k8s.io/v1", "Gateway", "gateways", {"gtw"}, kStatus | kCrdLike, {}},
    {"gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes", {}, kStatus | kCrdLike, {}},
    {"apiextensions.k8s.io/v1",
     "CustomResourceDefinition",
     "customresourcedefinitions",
     {"crd", "crds"},
     kClusterScoped | kStatus,
     {}},
    {"authorization.k8s.io/v1",
     "SelfSubjectAccessReview",
     "selfsubjectaccessreviews",
     {},
     kClusterScoped | kVirtual,
     {}},
    {"authorization.k8s.io/v1",
     "SelfSubjectRulesReview",
     "selfsubjectrulesreviews",
     {},
     kClusterScoped | kVirtual,
     {}},
    {"authentication.k8s.io/v1",
     "SelfSubjectReview",
     "selfsubjectreviews",
     {},
     kClusterScoped | kVirtual,
     {}},
};

NameRule name_rule_of(std::string_view kind) {
  if (kind == "Namespace") return NameRule::kLabel;
  return kind == "Service" ? NameRule::kLabel1035 : NameRule::kSubdomain;
}

Words categories_of(const Row& row, const Gvk& gvk) {
  if (row.traits & kInAll) return {"all"};
  if (row.traits & kCrdLike) return {"gateway-api"};
  if (gvk.kind == "CustomResourceDefinition") return {"api-extensions"};
  return {};
}

Resource resource_of(const Row& row) {
  Resource resource{.gvk = parse_gvk(row.api_version, row.kind)};
  resource.plural = row.plural;
  resource.singular = row.kind;
  std::ranges::transform(resource.singular, resource.singular.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  resource.short_names = row.short_names;
  resource.categories = categories_of(row, resource.gvk);
  resource.namespaced = !(row.traits & kClusterScoped);
  resource.name_rule = name_rule_of(row.kind);
  resource.status_subresource = row.traits & kStatus;
  if (row.traits & kScale)
    resource.scale = ScalePaths{".spec.replicas", ".status.replicas", ".spec.selector"};
  resource.columns = builtin_columns(resource.gvk);
  resource.selectable_fields = row.selectable;
  resource.native = !(row.traits & kCrdLike);
  resource.stored = !(row.traits & kVirtual);
  return resource;
}

}  // namespace

std::vector<Resource> builtin_kinds(const KindSchemas& schemas) {
  std::vector<Resource> out;
  for (const Row& row : kRows) {
    Resource resource = resource_of(row);
    auto schema = schemas.find(resource.gvk);
    SLIPWAY_ASSERT(schema != schemas.end() || !resource.stored);
    if (schema != schemas.end()) resource.schema = schema->second;
    resource.rules =
        resource.gvk.kind == "CustomResourceDefinition" ? crd_rules() : builtin_rules(resource.gvk);
    out.push_back(std::move(resource));
  }
  return out;
}

}  // namespace slipway::api
