#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace slipway::analysis {

inline constexpr int kMaxFoldersUp = 64;

// The files in which PipeCD looks for an AnalysisTemplate when it deploys this application file:
// those with the suffix .yaml, .yml or .json that lie directly in `.pipe`, by name. That folder is
// at the root of the repository: the search goes up from the file's own folder, to where `.git` is
// and no further. Nothing when there is no such folder. Blocking. Errors: as file::list's.
Result<std::vector<std::string>> find_template_files(const std::string& application_file);

}  // namespace slipway::analysis
