#include <algorithm>

#include "api/rules/kind_rules.h"
#include "base/text.h"

// Kubernetes' validation of volumes, and of paths that have to stay within them.
namespace slipway::api {

namespace {

void check_no_way_up(const Place& path, const std::string& field, Findings& findings) {
  const std::vector<std::string> parts = text::split(path.text(), '/');
  if (std::ranges::find(parts, "..") != parts.end())
    findings.invalid(field, path.value(), "must not contain '..'");
}

// Names that begin with two dots are kubelet's own.
void check_file_path(const Place& path, const std::string& field, Findings& findings) {
  if (path.empty()) return findings.required(field);
  check_path_below(path, field, findings);
  if (path.text().starts_with("..") && !path.text().starts_with("../"))
    findings.invalid(field, path.value(), "must not start with '..'");
}

void check_items(const Place& source, Findings& findings) {
  for (const Place& item : source["items"].items()) {
    if (item["key"].empty()) findings.required(item["key"].path());
    check_file_path(item["path"], item["path"].path(), findings);
  }
}

// Kubernetes does not say which of the items it is.
void check_downward(const Place& source, Findings& findings) {
  for (const Place& item : source["items"].items())
    check_file_path(item["path"], source.path() + ".path", findings);
}

void require(const Place& source, std::string_view field, Findings& findings) {
  if (source.present() && source[field].empty()) findings.required(source[field].path());
}

void check_source(const Place& volume, Findings& findings) {
  require(volume["hostPath"], "path", findings);
  check_no_way_up(volume["hostPath"]["path"], volume["hostPath"]["path"].path(), findings);
  require(volume["secret"], "secretName", findings);
  check_items(volume["secret"], findings);
  require(volume["configMap"], "name", findings);
  check_items(volume["configMap"], findings);
  require(volume["persistentVolumeClaim"], "claimName", findings);
  check_downward(volume["downwardAPI"], findings);
  for (const Place& source : volume["projected"]["sources"].items()) {
    for (const std::string_view kind : {"secret", "configMap"}) {
      require(source[kind], "name", findings);
      check_items(source[kind], findings);
    }
    check_downward(source["downwardAPI"], findings);
  }
}

}  // namespace

void check_path_below(const Place& path, const std::string& field, Findings& findings) {
  if (path.text().starts_with('/'))
    findings.invalid(field, path.value(), "must be a relative path");
  check_no_way_up(path, field, findings);
}

void check_volumes(const Place& volumes, PodContext& context, Findings& findings) {
  for (const Place& volume : volumes.items()) {
    const std::size_t before = findings.causes.size();
    bool first = true;
    for (const std::string_view source : volume.keys()) {
      if (source == "name" || !volume[source].present()) continue;
      if (!first)
        findings.forbidden(volume[source].path(), "may not specify more than 1 volume type");
      first = false;
    }
    check_source(volume, findings);
    const Place name = volume["name"];
    check_name(name, dns_label_problem, findings);
    if (std::ranges::find(context.volumes, name.text()) != context.volumes.end())
      findings.duplicate(name.path(), json::Value(name.text()));
    if (findings.causes.size() == before) context.volumes.emplace_back(name.text());
  }
}

}  // namespace slipway::api
