#include "analysis/pipecd/template_files.h"

#include <algorithm>

#include "base/file.h"

namespace slipway::analysis {

namespace {

// With its slash: `a/b.yaml` lies in `a/`, `b.yaml` in the folder we are in.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// One folder up, by name where there is one left, else by dots.
std::string parent_of(const std::string& folder) {
  if (folder == "/") return folder;
  const std::string inner = folder.substr(0, folder.empty() ? 0 : folder.size() - 1);
  if (inner.empty() || inner == ".") return "../";
  if (inner == ".." || inner.ends_with("/..")) return folder + "../";
  return folder_of(inner);
}

}  // namespace

Result<std::vector<std::string>> find_template_files(const std::string& application_file) {
  std::string folder = folder_of(application_file);
  for (int up = 0; up < kMaxFoldersUp; ++up) {
    const std::string held = folder + ".pipe";
    if (file::is_folder(held)) {
      auto files = file::list(held, {".yaml", ".yml", ".json"});
      if (files)
        std::erase_if(*files,
                      [&](const std::string& path) { return folder_of(path) != held + "/"; });
      return files;
    }
    if (file::exists(folder + ".git") || folder == "/") break;
    folder = parent_of(folder);
  }
  return std::vector<std::string>();
}

}  // namespace slipway::analysis
