#include <algorithm>

#include "api/rules/kind_rules.h"

// Kubernetes' defaulting of Pod specs.
namespace slipway::api {

namespace {

// The tag of an image name: what follows the last colon after the last slash. No tag and no digest
// is "latest".
bool is_latest(std::string_view image) {
  if (image.empty()) return false;
  const bool digested = image.find('@') != std::string_view::npos;
  image = image.substr(0, image.find('@'));
  const std::string_view last = image.substr(image.rfind('/') + 1);
  const std::size_t colon = last.find(':');
  return colon == std::string_view::npos ? !digested : last.substr(colon + 1) == "latest";
}

std::string_view text_of(const json::Object& object, std::string_view field) {
  const json::Value* value = object.if_contains(field);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

void default_http_get(json::Object& handler) {
  json::Object* http = existing_object(handler, "httpGet");
  if (http == nullptr) return;
  default_text(*http, "path", "/");
  default_text(*http, "scheme", "HTTP");
}

void default_probe(json::Object* probe) {
  if (probe == nullptr) return;
  default_http_get(*probe);
  if (json::Object* grpc = existing_object(*probe, "grpc")) default_text(*grpc, "service", "");
  default_number(*probe, "timeoutSeconds", 1, true);
  default_number(*probe, "periodSeconds", 10, true);
  default_number(*probe, "successThreshold", 1, true);
  default_number(*probe, "failureThreshold", 3, true);
}

void default_field_refs(json::Object& container) {
  for (json::Object* env : member_objects(container, "env")) {
    json::Object* from = existing_object(*env, "valueFrom");
    if (from == nullptr) continue;
    if (json::Object* field = existing_object(*from, "fieldRef"))
      default_text(*field, "apiVersion", "v1");
    if (json::Object* file = existing_object(*from, "fileKeyRef"))
      default_flag(*file, "optional", false);
  }
}

void default_container(json::Object& container) {
  default_text(container, "imagePullPolicy",
               is_latest(text_of(container, "image")) ? "Always" : "IfNotPresent");
  default_text(container, "terminationMessagePath", "/dev/termination-log");
  default_text(container, "terminationMessagePolicy", "File");
  for (json::Object* port : member_objects(container, "ports"))
    default_text(*port, "protocol", "TCP");
  default_field_refs(container);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"})
    default_probe(existing_object(container, probe));
  json::Object* lifecycle = existing_object(container, "lifecycle");
  if (lifecycle == nullptr) return;
  for (const std::string_view hook : {"postStart", "preStop"})
    if (json::Object* handler = existing_object(*lifecycle, hook)) default_http_get(*handler);
}

constexpr std::int64_t kFileMode = 0644;

void default_items(json::Object& source) {
  for (json::Object* item : member_objects(source, "items"))
    if (json::Object* field = existing_object(*item, "fieldRef"))
      default_text(*field, "apiVersion", "v1");
}

void default_projected(json::Object& projected) {
  for (json::Object* source : member_objects(projected, "sources")) {
    if (json::Object* downward = existing_object(*source, "downwardAPI")) default_items(*downward);
    if (json::Object* token = existing_object(*source, "serviceAccountToken"))
      default_number(*token, "expirationSeconds", 3600);
  }
}

void default_rare_volume(json::Object& volume) {
  if (json::Object* iscsi = existing_object(volume, "iscsi"))
    default_text(*iscsi, "iscsiInterface", "default");
  if (json::Object* rbd = existing_object(volume, "rbd")) {
    default_text(*rbd, "pool", "rbd");
    default_text(*rbd, "user", "admin");
    default_text(*rbd, "keyring", "/etc/ceph/keyring");
  }
  if (json::Object* disk = existing_object(volume, "azureDisk")) {
    default_text(*disk, "cachingMode", "ReadWrite");
    default_text(*disk, "fsType", "ext4");
    default_flag(*disk, "readOnly", false);
    default_text(*disk, "kind", "Shared");
  }
  if (json::Object* scale_io = existing_object(volume, "scaleIO")) {
    default_text(*scale_io, "storageMode", "ThinProvisioned");
    default_text(*scale_io, "fsType", "xfs");
  }
}

void default_volume(json::Object& volume) {
  const bool has_source = std::ranges::any_of(
      volume, [](const auto& field) { return field.key() != "name" && !field.value().is_null(); });
  if (!has_source) volume["emptyDir"] = json::Object();
  for (const std::string_view source : {"secret", "configMap", "downwardAPI", "projected"})
    if (json::Object* found = existing_object(volume, source))
      default_number(*found, "defaultMode", kFileMode);
  if (json::Object* downward = existing_object(volume, "downwardAPI")) default_items(*downward);
  if (json::Object* projected = existing_object(volume, "projected")) default_projected(*projected);
  if (json::Object* path = existing_object(volume, "hostPath");
      path != nullptr && !path->contains("type"))
    (*path)["type"] = "";
  if (json::Object* image = existing_object(volume, "image"))
    default_text(*image, "pullPolicy",
                 is_latest(text_of(*image, "reference")) ? "Always" : "IfNotPresent");
  json::Object* claim = existing_object(volume, "ephemeral");
  claim = claim != nullptr ? existing_object(*claim, "volumeClaimTemplate") : nullptr;
  claim = claim != nullptr ? existing_object(*claim, "spec") : nullptr;
  if (claim != nullptr) default_text(*claim, "volumeMode", "Filesystem");
  default_rare_volume(volume);
}

// Both names of the field exist in v1, and mean the same.
void mirror_service_account(json::Object& spec) {
  const std::string name(text_of(spec, "serviceAccountName"));
  if (!name.empty()) {
    spec["serviceAccount"] = name;
  } else if (const std::string old(text_of(spec, "serviceAccount")); !old.empty()) {
    spec["serviceAccountName"] = old;
  }
}

}  // namespace

void default_pod_spec(json::Object& spec) {
  default_text(spec, "dnsPolicy", "ClusterFirst");
  default_text(spec, "restartPolicy", "Always");
  member_object(spec, "securityContext");
  default_number(spec, "terminationGracePeriodSeconds", 30);
  default_text(spec, "schedulerName", "default-scheduler");
  mirror_service_account(spec);
  for (json::Object* volume : member_objects(spec, "volumes")) default_volume(*volume);
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"})
    for (json::Object* container : member_objects(spec, list)) default_container(*container);
}

}  // namespace slipway::api
