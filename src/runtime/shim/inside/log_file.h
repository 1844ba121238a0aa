#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"

// The log of one run of a container, in the format of Kubernetes' container runtimes: each line is
// `TIME stdout F text`; P instead of F when the text goes on in the next one.
namespace slipway::runtime {

inline constexpr std::size_t kMaxLogLine = 16 * 1024;  // longer ones go on in the next line

// One stream as log lines; what has no line end yet stays until it has, grows too long, or the
// stream ends.
class LogLines {
 public:
  explicit LogLines(std::string_view stream) : stream_(stream) {}

  // The lines that `data` completes.
  std::string add(std::string_view data, Time now);
  std::string finish(Time now);

 private:
  void append(std::string& out, Time now, char tag, std::string_view text) const;

  std::string stream_;
  std::string rest_;
};

// A file that is moved aside when it is full: x.log, then x.log.1 (newer) to x.log.4 (older). When
// the disk does not take a line, it is lost and the container goes on.
class LogFile {
 public:
  LogFile() = default;
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) noexcept;
  ~LogFile();

  static Result<LogFile> open(std::string path, std::uint64_t max_bytes, std::uint32_t max_files);

  // Whole lines, none of which is cut in two.
  void write(std::string_view lines);
  const std::string& path() const { return path_; }

 private:
  bool put(std::string_view bytes);
  void rotate();

  std::string path_;
  int file_ = -1;
  std::uint64_t max_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint32_t max_files_ = 1;
};

// Removes a run's log and what was moved aside.
void remove_log(const std::string& path, std::uint32_t max_files);

// The text of the last lines: at most `max_lines` and `max_bytes`.
std::string log_tail(const std::string& path, std::size_t max_lines, std::size_t max_bytes);

}  // namespace slipway::runtime
