#include "cli/pipecd_templates.h"

#include <algorithm>
#include <set>

#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/pipecd/template_files.h"

namespace slipway::cli {

Result<> add_pipecd_templates(std::vector<Manifest>& manifests) {
  std::set<std::string> known, found;
  for (const auto& manifest : manifests) known.insert(manifest.file);
  for (const auto& manifest : manifests) {
    if (manifest.file == "-" || !analysis::is_pipecd_application(manifest.document)) continue;
    auto files = analysis::find_template_files(manifest.file);
    if (!files) return std::unexpected(std::move(files).error());
    for (auto& file : *files)
      if (!known.contains(file)) found.insert(std::move(file));
  }
  if (found.empty()) return {};
  auto read = read_manifests({found.begin(), found.end()});
  if (!read) return std::unexpected(std::move(read).error());
  for (auto& one : *read)
    if (analysis::is_pipecd_template(one.document)) manifests.push_back(std::move(one));
  return {};
}

}  // namespace slipway::cli
