#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace slipway::file {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxRemovals = 100;  // as often as somebody may be in the way

// Those that their owner may not look into or take from: one level of them each time.
void open_folders(const std::string& path) {
  std::error_code ignored;
  fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied,
                                         ignored);
  for (; !ignored && entry != fs::recursive_directory_iterator(); entry.increment(ignored))
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
      fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
}

std::unexpected<Error> failed(std::string_view doing, std::string_view path, int reason) {
  const ErrorCode code = reason == ENOENT                       ? ErrorCode::kNotFound
                         : reason == EACCES || reason == EPERM  ? ErrorCode::kForbidden
                         : reason == ENOSPC || reason == EDQUOT ? ErrorCode::kNoSpace
                                                                : ErrorCode::kInternal;
  return fail(code, fmt::format("cannot {} {}: {}", doing, path, std::strerror(reason)));
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

Result<std::string> read_all(int fd, std::string_view path, std::size_t max_bytes) {
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > max_bytes)
      return fail(ErrorCode::kTooLarge, fmt::format("{} is over {} bytes", path, max_bytes));
  }
}

Result<> write_all(int fd, std::string_view path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

}  // namespace

Result<std::string> read(const std::string& path, std::size_t max_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return failed("read", path, errno);
  return read_all(file.fd, path, max_bytes);
}

Result<std::string> read_stdin(std::size_t max_bytes) {
  return read_all(STDIN_FILENO, "standard input", max_bytes);
}

Result<> write(const std::string& path, std::string_view text, unsigned mode) {
  const std::string beside = fmt::format("{}.{}.new", path, ::getpid());
  {
    const Descriptor file{::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)};
    if (file.fd < 0) return failed("write", path, errno);
    auto written = write_all(file.fd, path, text);
    if (written && ::fsync(file.fd) != 0) written = failed("write", path, errno);
    if (!written) {
      ::unlink(beside.c_str());
      return written;
    }
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) return failed("write", path, errno);
  const std::string parent = fs::path(path).parent_path().string();
  const Descriptor folder{
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.fd < 0 || ::fsync(folder.fd) != 0) return failed("sync the folder of", path, errno);
  return {};
}

Result<> make_folder(const std::string& path, unsigned mode) {
  if (is_folder(path)) return {};
  const std::string parent = fs::path(path).parent_path().string();
  if (!parent.empty() && parent != path) SLIPWAY_TRY(make_folder(parent, mode));
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST)
    return failed("make the folder", path, errno);
  if (!is_folder(path)) return failed("make the folder", path, ENOTDIR);
  return {};
}

Result<Status> status(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return failed("read", path, errno);
  return Status{.owner = found.st_uid, .mode = found.st_mode & 07777U};
}

unsigned current_user() { return ::geteuid(); }

bool exists(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0;
}

Result<> remove_folder(const std::string& path) {
  std::error_code problem;
  for (int i = 0; i < kMaxRemovals; ++i) {
    fs::remove_all(path, problem);
    if (!problem) return {};
    if (problem == std::errc::permission_denied) open_folders(path);
  }
  return failed("remove", path, problem.value());
}

bool is_folder(const std::string& path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

Result<std::vector<std::string>> list(const std::string& folder,
                                      const std::vector<std::string>& suffixes) {
  std::vector<std::string> found;
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, problem), end;
  for (; !problem && entry != end; entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(".")) {
      if (entry->is_directory(problem)) entry.disable_recursion_pending();
      continue;
    }
    const bool wanted =
        std::ranges::any_of(suffixes, [&](const auto& suffix) { return name.ends_with(suffix); });
    if (wanted && entry->is_regular_file(problem)) found.push_back(entry->path().string());
  }
  if (problem) return failed("list", folder, problem.value());
  std::ranges::sort(found);
  return found;
}

}  // namespace slipway::file
