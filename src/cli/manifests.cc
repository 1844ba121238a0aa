#include "cli/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "api/lint/list_items.h"
#include "base/file.h"

namespace slipway::cli {

namespace {

Result<std::vector<Manifest>> read_manifest_file(const std::string& path) {
  auto text = path == "-" ? file::read_stdin() : file::read(path);
  if (!text) return std::unexpected(text.error());
  auto documents = yaml::read(*text, {.max_bytes = file::kMaxFile});
  if (!documents)
    return fail(documents.error().code, fmt::format("{}: {}", path, documents.error().text()));
  std::vector<Manifest> manifests;
  for (auto& document : *documents) manifests.push_back({path, std::move(document)});
  return manifests;
}

// What others stand in, are of, read or run by name comes before them: an Experiment ends at once
// when its template is not there yet, and a Pod's environment is not filled in later.
constexpr std::string_view kFirst[] = {
    "Namespace",      "CustomResourceDefinition", "ConfigMap",       "Secret", "Service",
    "MetricTemplate", "ClusterAnalysisTemplate",  "AnalysisTemplate"};
constexpr std::size_t kRanks = std::size(kFirst) + 1;

std::size_t rank(const json::Value& object) {
  const auto found = std::ranges::find(kFirst, json::string_at(object, {"kind"}));
  return static_cast<std::size_t>(found - std::begin(kFirst));
}

}  // namespace

Result<std::vector<std::string>> find_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const auto& path : paths) {
    if (path == "-" || !file::is_folder(path)) {
      files.push_back(path);
      continue;
    }
    auto below = file::list(path, {".yaml", ".yml", ".json"});
    if (!below) return below;
    if (below->empty())
      return fail(ErrorCode::kNotFound,
                  fmt::format("no .yaml, .yml or .json file in the folder {}", path));
    files.insert(files.end(), below->begin(), below->end());
  }
  return files;
}

Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths) {
  auto files = find_files(paths);
  if (!files) return std::unexpected(files.error());
  std::vector<Manifest> manifests;
  for (const auto& path : *files) {
    auto read = read_manifest_file(path);
    if (!read) return read;
    for (auto& manifest : *read) manifests.push_back(std::move(manifest));
  }
  return manifests;
}

std::vector<ManifestObject> objects_in_order(const std::vector<Manifest>& manifests) {
  std::vector<ManifestObject> ordered[kRanks];
  for (const auto& manifest : manifests)
    for (auto& item : api::list_items(manifest.document))
      ordered[rank(item.value)].push_back(
          {.file = manifest.file, .line = item.line, .value = std::move(item.value)});
  std::vector<ManifestObject> objects;
  for (auto& of_rank : ordered) std::ranges::move(of_rank, std::back_inserter(objects));
  return objects;
}

Result<> check_namespace(const ManifestObject& object, const std::string& ns) {
  const auto own = json::string_at(object.value, {"metadata", "namespace"});
  if (ns.empty() || own.empty() || own == ns) return {};
  return fail(
      ErrorCode::kInvalid,
      fmt::format("the object is in namespace \"{}\", not in \"{}\"; give -n {}", own, ns, own));
}

}  // namespace slipway::cli
