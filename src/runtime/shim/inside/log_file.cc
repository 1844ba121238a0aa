#include "runtime/shim/inside/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace slipway::runtime {

namespace {

// With nanoseconds, as the runtimes write it.
std::string stamp(Time time) {
  const auto nanoseconds = time.time_since_epoch().count() % 1'000'000'000;
  std::string seconds = format_time(time);
  seconds.pop_back();
  return fmt::format("{}.{:09}Z", seconds, nanoseconds);
}

std::string aside(const std::string& path, std::uint32_t number) {
  return number == 0 ? path : fmt::format("{}.{}", path, number);
}

// The text of a log line without time, stream and tag.
std::string_view text_of(std::string_view line) {
  for (int word = 0; word < 3; ++word) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return line;
    line.remove_prefix(blank + 1);
  }
  return line;
}

// How much of `lines`, in whole lines, is at most `room`.
std::size_t fitting(std::string_view lines, std::uint64_t room) {
  if (lines.size() <= room) return lines.size();
  const auto end = room == 0 ? std::string_view::npos : lines.rfind('\n', room - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

void LogLines::append(std::string& out, Time now, char tag, std::string_view text) const {
  fmt::format_to(std::back_inserter(out), "{} {} {} {}\n", stamp(now), stream_, tag, text);
}

std::string LogLines::add(std::string_view data, Time now) {
  std::string out;
  while (!data.empty()) {
    const auto end = data.find('\n');
    const auto room = kMaxLogLine - rest_.size();
    const auto part = data.substr(0, std::min(end, room));
    if (end != std::string_view::npos && end <= room) {
      append(out, now, 'F', rest_.empty() ? part : rest_.append(part));
      rest_.clear();
      data.remove_prefix(end + 1);
    } else {
      rest_.append(part);
      data.remove_prefix(part.size());
      if (rest_.size() < kMaxLogLine || data.empty()) continue;
      append(out, now, 'P', rest_);
      rest_.clear();
    }
  }
  return out;
}

std::string LogLines::finish(Time now) {
  std::string out;
  if (!rest_.empty()) append(out, now, 'F', std::exchange(rest_, {}));
  return out;
}

LogFile::LogFile(LogFile&& other) noexcept { *this = std::move(other); }

LogFile& LogFile::operator=(LogFile&& other) noexcept {
  if (this == &other) return *this;
  if (file_ >= 0) ::close(file_);
  path_ = std::move(other.path_);
  file_ = std::exchange(other.file_, -1);
  max_bytes_ = other.max_bytes_;
  bytes_ = other.bytes_;
  max_files_ = other.max_files_;
  return *this;
}

LogFile::~LogFile() {
  if (file_ >= 0) ::close(file_);
}

Result<LogFile> LogFile::open(std::string path, std::uint64_t max_bytes, std::uint32_t max_files) {
  LogFile log;
  log.file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log.file_ < 0)
    return fail(ErrorCode::kInternal, fmt::format("cannot write {}: {}", path, strerror(errno)));
  struct stat found{};
  if (::fstat(log.file_, &found) == 0) log.bytes_ = static_cast<std::uint64_t>(found.st_size);
  log.path_ = std::move(path);
  log.max_bytes_ = max_bytes;
  log.max_files_ = max_files;
  return log;
}

void LogFile::write(std::string_view lines) {
  while (!lines.empty()) {
    std::size_t part = fitting(lines, max_bytes_ - std::min(bytes_, max_bytes_));
    if (part == 0 && bytes_ > 0) {
      rotate();
      continue;
    }
    if (part == 0) part = std::min(lines.find('\n'), lines.size() - 1) + 1;
    if (!put(lines.substr(0, part))) return;
    lines.remove_prefix(part);
  }
}

bool LogFile::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes_ += static_cast<std::uint64_t>(done);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

void LogFile::rotate() {
  for (std::uint32_t number = max_files_ - 1; number > 0; --number)
    ::rename(aside(path_, number - 1).c_str(), aside(path_, number).c_str());
  if (max_files_ == 1) ::unlink(path_.c_str());
  const int fresh = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  bytes_ = 0;  // even when there is no new file: the old one, moved aside, is written on
  if (fresh < 0) return;
  ::close(file_);
  file_ = fresh;
}

void remove_log(const std::string& path, std::uint32_t max_files) {
  for (std::uint32_t number = 0; number < max_files; ++number)
    ::unlink(aside(path, number).c_str());
}

std::string log_tail(const std::string& path, std::size_t max_lines, std::size_t max_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  // Twice as much as is wanted: what stands before the text of each line is left out.
  const off_t size = ::lseek(file, 0, SEEK_END);
  const off_t want = static_cast<off_t>(2 * max_bytes + kMaxLogLine);
  std::string text(static_cast<std::size_t>(std::min(size, want)), '\0');
  const ssize_t got =
      ::pread(file, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  ::close(file);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  std::string_view rest = text;
  if (size > want) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);

  std::string out;
  for (std::size_t lines = 0; lines < max_lines && !rest.empty(); ++lines) {
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    const auto begin = rest.rfind('\n');
    const auto line = begin == std::string_view::npos ? rest : rest.substr(begin + 1);
    out = std::string(text_of(line)) + "\n" + out;
    if (out.size() > max_bytes) return out.substr(out.size() - max_bytes);
    rest = begin == std::string_view::npos ? std::string_view() : rest.substr(0, begin + 1);
  }
  return out;
}

}  // namespace slipway::runtime
