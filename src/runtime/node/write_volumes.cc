#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "runtime/node/shim_host.h"

// The files a Pod begins with. They are not synced: after a crash of the machine they are made
// anew.
namespace slipway::runtime {

namespace {

std::unexpected<Error> cannot(const std::string& path, const char* what) {
  return fail(ErrorCode::kInternal, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

Result<> write_file(const std::string& path, std::string_view bytes, unsigned mode) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return cannot(path, "cannot be replaced");
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return cannot(path, "cannot be made");
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const auto problem = cannot(path, "cannot be written");
      ::close(file);
      return problem;
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  const bool moded = ::fchmod(file, mode) == 0;
  ::close(file);
  if (!moded) return cannot(path, "cannot be given its mode");
  return {};
}

Result<> write_volume(const std::string& folder, const Volume& volume) {
  if (!volume.host_path.empty()) {
    if (volume.make_host_path) return file::make_folder(volume.host_path, 0755);
    return {};
  }
  const std::string root = fmt::format("{}/volumes/{}", folder, volume.name);
  SLIPWAY_TRY(file::make_folder(root, 0755));
  // An emptyDir is everybody's in its Pod, whoever they are there.
  if (volume.files.empty() && ::chmod(root.c_str(), 0777) != 0)
    return cannot(root, "cannot be given its mode");
  for (const VolumeFile& each : volume.files) {
    const std::string path = root + "/" + each.path;
    SLIPWAY_TRY(file::make_folder(path.substr(0, path.rfind('/')), 0755));
    SLIPWAY_TRY(write_file(path, each.bytes, each.mode));
  }
  return {};
}

}  // namespace

Result<> write_volumes(const std::string& folder, const PodOrder& order) {
  for (const char* below : {"/work", "/termination", "/volumes"})
    SLIPWAY_TRY(file::make_folder(folder + below, 0700));
  for (const Volume& volume : order.volumes) SLIPWAY_TRY(write_volume(folder, volume));
  for (const auto* list : {&order.plan.init_containers, &order.plan.containers})
    for (const ContainerPlan& container : *list)
      if (!container.termination_message_file.empty())
        SLIPWAY_TRY(write_file(container.termination_message_file, "", 0600));
  return {};
}

}  // namespace slipway::runtime
