#include "runtime/shim/inside/mounts.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "runtime/process/descriptor.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxEntries = 10'000;  // of a folder that is replaced

std::unexpected<Error> failed(std::string_view doing, std::string_view path) {
  return fail(ErrorCode::kUnavailable,
              fmt::format("cannot {} {}: {}", doing, path, strerror(errno)));
}

std::unexpected<Error> wrong(std::unexpected<Error> problem) {
  problem.error().code = ErrorCode::kInvalid;
  return problem;
}

Result<> put(const char* path, std::string_view text) {
  const Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  if (!file || ::write(file.get(), text.data(), text.size()) < 0) return failed("write", path);
  return {};
}

// Root needs no user namespace, and would lose privileges by one.
Result<> enter_own_view() {
  const auto uid = ::geteuid();
  const auto gid = ::getegid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return failed("get", "mounts of its own (user namespaces)");
    SLIPWAY_TRY(put("/proc/self/setgroups", "deny"));
    SLIPWAY_TRY(put("/proc/self/uid_map", fmt::format("{0} {0} 1", uid)));
    SLIPWAY_TRY(put("/proc/self/gid_map", fmt::format("{0} {0} 1", gid)));
  }
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return failed("make private the mounts of", "/");
  return {};
}

bool exists(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0;
}

bool is_folder(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

bool is_same(const Descriptor& one, const char* path) {
  struct stat here{}, there{};
  return ::fstat(one.get(), &here) == 0 && ::stat(path, &there) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

Descriptor copy_tree(const std::string& path) {
  return Descriptor(
      ::open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
}

Result<> attach(const Descriptor& tree, const std::string& target) {
  if (::move_mount(tree.get(), "", AT_FDCWD, target.c_str(),
                   MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_SYMLINKS) != 0)
    return failed("mount at", target);
  return {};
}

Result<> make_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!file) return failed("make", path);
  return {};
}

// What a replaced folder holds.
struct Entry {
  std::string name = {};
  bool folder = false;
  std::string link = {};  // a symbolic link leads there
  Descriptor tree = {};   // anything else
};

Result<std::vector<Entry>> copy_entries(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code wrong;
  for (const auto& item : std::filesystem::directory_iterator(folder, wrong)) {
    if (entries.size() >= kMaxEntries)
      return fail(ErrorCode::kUnavailable,
                  fmt::format("{} has over {} entries", folder, kMaxEntries));
    Entry entry{.name = item.path().filename().string()};
    if (item.is_symlink(wrong)) {
      entry.link = std::filesystem::read_symlink(item.path(), wrong).string();
    } else {
      entry.folder = item.is_directory(wrong);
      entry.tree = copy_tree(item.path().string());
      if (!entry.tree) continue;  // what we may not see, the container need not
    }
    entries.push_back(std::move(entry));
  }
  if (wrong) return fail(ErrorCode::kUnavailable, "cannot list " + folder + ": " + wrong.message());
  return entries;
}

// With all above it that is missing.
Result<> make_source(const std::filesystem::path& path) {
  struct stat around{};
  std::vector<std::filesystem::path> missing;
  for (auto there = path; ::stat(there.c_str(), &around) != 0; there = there.parent_path()) {
    if (errno != ENOENT || there == there.parent_path())
      return wrong(failed("make", path.string()));
    missing.push_back(there);
  }
  const mode_t mode = around.st_mode & 0777U;
  for (; !missing.empty(); missing.pop_back()) {
    const std::string folder = missing.back().string();
    // Not by mkdir alone, which the shim's umask would narrow.
    const bool made = ::mkdir(folder.c_str(), 0700) == 0 && ::chmod(folder.c_str(), mode) == 0;
    if (!made && !is_folder(folder)) return wrong(failed("make", folder));
  }
  return {};
}

class ViewBuilder {
 public:
  explicit ViewBuilder(std::string scratch) : scratch_(std::move(scratch)) {}

  Result<> add(const Mount& mount, const Descriptor& source, bool folder) {
    SLIPWAY_TRY(make_target(mount.target, folder));
    if (is_folder(mount.target) != folder)
      return fail(ErrorCode::kUnavailable,
                  fmt::format("cannot mount {} at {}: one is a folder, the other a file",
                              mount.source, mount.target));
    SLIPWAY_TRY(attach(source, mount.target));
    // After it is in place: a mount in it may need to be made first.
    if (mount.read_only) {
      mount_attr attributes{};
      attributes.attr_set = MOUNT_ATTR_RDONLY;
      if (::mount_setattr(AT_FDCWD, mount.target.c_str(), AT_RECURSIVE, &attributes,
                          sizeof attributes) != 0)
        return failed("make read-only", mount.target);
    }
    volumes_.insert(mount.target);
    return {};
  }
  const View& view() const { return view_; }

 private:
  Result<> make_target(const std::string& target, bool folder) {
    if (exists(target)) return {};
    std::vector<std::string> missing;
    std::filesystem::path there(target);
    while (!exists(there.string())) {
      missing.push_back(there.filename().string());
      there = there.parent_path();
    }
    std::error_code wrong;
    there = std::filesystem::canonical(there, wrong);
    if (!is_ours(there.string())) SLIPWAY_TRY(replace(there.string()));
    for (std::size_t i = missing.size(); i > 0; --i) {
      there /= missing[i - 1];
      if (i == 1 && !folder) return make_file(there.string());
      if (::mkdir(there.c_str(), 0755) != 0) return failed("make", there.string());
      made_.insert(there.string());
    }
    return {};
  }

  bool is_ours(const std::string& folder) const {
    return made_.contains(folder) || std::ranges::any_of(volumes_, [&](const std::string& volume) {
             return folder == volume || folder.starts_with(volume + "/");
           });
  }

  Result<> replace(const std::string& folder) {
    auto entries = copy_entries(folder);
    if (!entries) return std::unexpected(entries.error());
    const bool root = folder == "/";
    const std::string& where = root ? scratch_ : folder;
    if (::mount("tmpfs", where.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0)
      return failed("replace", folder);
    for (const auto& entry : *entries) {
      const std::string path = where + "/" + entry.name;
      if (!entry.link.empty()) {
        if (::symlink(entry.link.c_str(), path.c_str()) != 0) return failed("make", path);
        continue;
      }
      if (entry.folder && ::mkdir(path.c_str(), 0755) != 0) return failed("make", path);
      if (!entry.folder) SLIPWAY_TRY(make_file(path));
      SLIPWAY_TRY(attach(entry.tree, path));
    }
    if (root && (::chdir(where.c_str()) != 0 || ::chroot(".") != 0)) return failed("enter", where);
    view_.own_root = view_.own_root || root;
    made_.insert(folder);
    return {};
  }

  std::string scratch_;
  View view_;
  std::set<std::string> made_;     // folders in which something can be made without a trace
  std::set<std::string> volumes_;  // and those that are volumes
};

}  // namespace

Result<> make_sources(const std::vector<Mount>& mounts) {
  for (const auto& mount : mounts)
    if (is_folder(mount.within) && !exists(mount.source)) SLIPWAY_TRY(make_source(mount.source));
  return {};
}

Result<View> mount_all(const std::vector<Mount>& mounts, const std::string& scratch) {
  SLIPWAY_TRY(enter_own_view());
  // Sources are those of the machine, whatever has been mounted over them meanwhile.
  std::vector<Descriptor> sources;
  for (const auto& mount : mounts) {
    sources.push_back(copy_tree(mount.source));
    if (sources.back()) continue;
    if (errno == ENOSYS || errno == EPERM) return failed("mount", mount.source);
    return wrong(failed("mount", mount.source));
  }
  std::vector<std::size_t> order(mounts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // A mount inside another comes after it.
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(mounts[i].target, i); });
  std::vector<bool> folders;
  folders.reserve(mounts.size());
  for (const auto& mount : mounts) folders.push_back(is_folder(mount.source));
  ViewBuilder builder(scratch);
  for (const std::size_t i : order)
    if (auto added = builder.add(mounts[i], sources[i], folders[i]); !added)
      return wrong(std::unexpected(std::move(added).error()));
  return builder.view();
}

Result<> join_view(pid_t process, const View& view) {
  const std::string of = fmt::format("/proc/{}", process);
  const Descriptor users(::open((of + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor mounts(::open((of + "/ns/mnt").c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor root(::open((of + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!users || !mounts || !root) return failed("see the files of", of);
  if (!is_same(users, "/proc/self/ns/user") && ::setns(users.get(), CLONE_NEWUSER) != 0)
    return failed("get the rights of", of);
  if (!is_same(mounts, "/proc/self/ns/mnt") && ::setns(mounts.get(), CLONE_NEWNS) != 0)
    return failed("get the mounts of", of);
  if (view.own_root && (::fchdir(root.get()) != 0 || ::chroot(".") != 0))
    return failed("enter the root of", of);
  return {};
}

}  // namespace slipway::runtime
