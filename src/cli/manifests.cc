#include "cli/manifests.h"

#include <fmt/format.h>

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

}  // namespace slipway::cli
