#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/shim/client.h"

namespace slipway::runtime {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPods = 100'000;

FoundShim look_at(const std::string& folder, std::string uid) {
  FoundShim found{.uid = std::move(uid), .folder = folder};
  if (auto plan = read_plan(folder)) found.plan = std::move(*plan);
  if (auto state = read_state(folder)) found.state = std::move(*state);
  found.alive = found.state && is_alive(found.state->shim);
  return found;
}

}  // namespace

Result<std::vector<FoundShim>> find_shims(const std::string& pods_folder) {
  std::vector<FoundShim> found;
  std::error_code wrong;
  if (!fs::exists(pods_folder, wrong)) return found;
  for (const auto& entry : fs::directory_iterator(pods_folder, wrong)) {
    if (found.size() >= kMaxPods) break;
    if (entry.is_directory(wrong))
      found.push_back(look_at(entry.path().string(), entry.path().filename().string()));
  }
  if (wrong)
    return fail(ErrorCode::kInternal,
                fmt::format("cannot list {}: {}", pods_folder, wrong.message()));
  std::ranges::sort(found, {}, &FoundShim::uid);
  return found;
}

}  // namespace slipway::runtime
