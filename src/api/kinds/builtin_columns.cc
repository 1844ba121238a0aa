#include "api/kinds/builtin_columns.h"

#include <map>
#include <string_view>

namespace slipway::api {

namespace {

// "+" is a column of -o wide, "#" one of numbers.
const std::map<std::string_view, std::vector<std::string_view>> kNative = {
    {"Pod",
     {"Name", "Ready", "Status", "Restarts", "Age", "+IP", "+Node", "+Nominated Node",
      "+Readiness Gates"}},
    {"Service", {"Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "+Selector"}},
    {"Namespace", {"Name", "Status", "Age"}},
    {"Endpoints", {"Name", "Endpoints", "Age"}},
    {"ConfigMap", {"Name", "Data", "Age"}},
    {"Secret", {"Name", "Type", "Data", "Age"}},
    {"ServiceAccount", {"Name", "Secrets", "Age"}},
    {"PodTemplate", {"Name", "Containers", "Images", "Pod Labels"}},
    {"Event",
     {"Last Seen", "Type", "Reason", "Object", "+Subobject", "+Source", "Message", "+First Seen",
      "+Count", "+Name"}},
    {"Deployment",
     {"Name", "Ready", "Up-to-date", "Available", "Age", "+Containers", "+Images", "+Selector"}},
    {"ReplicaSet",
     {"Name", "#Desired", "#Current", "#Ready", "Age", "+Containers", "+Images", "+Selector"}},
    {"Job",
     {"Name", "Status", "Completions", "Duration", "Age", "+Containers", "+Images", "+Selector"}},
    {"EndpointSlice", {"Name", "AddressType", "Ports", "Endpoints", "Age"}},
    {"Lease", {"Name", "Holder", "Age"}},
    {"Ingress", {"Name", "Class", "Hosts", "Address", "Ports", "Age"}},
    {"CustomResourceDefinition", {"Name", "Created At"}},
};

PrinterColumn column_of(std::string_view word) {
  PrinterColumn column;
  if (word.starts_with('+')) column.priority = 1;
  if (word.starts_with('#')) column.type = "integer";
  column.name = word.substr(column.priority == 1 || column.type == "integer" ? 1 : 0);
  if (column.name == "Name") column.format = "name";
  if (column.name == "Created At") column.type = "date";
  return column;
}

std::vector<PrinterColumn> gateway_columns(std::string_view kind) {
  PrinterColumn age{.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"};
  if (kind == "HTTPRoute") return {{.name = "Hostnames", .json_path = ".spec.hostnames"}, age};
  return {
      {.name = "Class", .json_path = ".spec.gatewayClassName"},
      {.name = "Address", .json_path = ".status.addresses[*].value"},
      {.name = "Programmed", .json_path = R"(.status.conditions[?(@.type=="Programmed")].status)"},
      age};
}

}  // namespace

std::vector<PrinterColumn> builtin_columns(const Gvk& gvk) {
  if (gvk.group == "gateway.networking.k8s.io") return gateway_columns(gvk.kind);
  std::vector<PrinterColumn> columns;
  auto found = kNative.find(gvk.kind);
  if (found == kNative.end()) return columns;
  for (std::string_view word : found->second) columns.push_back(column_of(word));
  return columns;
}

}  // namespace slipway::api
