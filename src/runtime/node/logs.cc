#include "runtime/node/logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "runtime/node/log_text.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kPiece = 64 * 1024;
constexpr int kMaxAside = 32;  // files of one run that were moved aside

std::string aside(const std::string& path, int number) {
  return number == 0 ? path : fmt::format("{}.{}", path, number);
}

// A log file being read, known by its inode: it may be moved aside meanwhile. Used on the pool, by
// one job at a time.
class OpenFile {
 public:
  OpenFile() = default;
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool open(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (file < 0 || fstat(file, &status) != 0) {
      if (file >= 0) ::close(file);
      return false;
    }
    close();
    file_ = file;
    inode_ = status.st_ino;
    size_ = status.st_size;
    offset_ = 0;
    return true;
  }
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }
  std::string read() {
    std::string bytes(kPiece, '\0');
    const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), offset_);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    offset_ += static_cast<off_t>(bytes.size());
    return bytes;
  }
  // The bytes before `end`, at most a piece of them.
  std::string read_before(off_t end) const {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(kPiece));
    std::string bytes(static_cast<std::size_t>(end - begin), '\0');
    const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), begin);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  void seek(off_t offset) { offset_ = offset; }
  off_t size() const { return size_; }
  ino_t inode() const { return inode_; }
  bool is_open() const { return file_ >= 0; }

 private:
  int file_ = -1;
  ino_t inode_ = 0;
  off_t size_ = 0;
  off_t offset_ = 0;
};

// All files of one run, the oldest first, as one text that grows.
class RunLog {
 public:
  explicit RunLog(std::string path) : path_(std::move(path)) {}

  // Goes to where the last `lines` lines begin, or to the beginning.
  void start(std::optional<std::int64_t> lines) {
    int number = 0;
    std::int64_t left = lines.value_or(-1);
    for (; number <= kMaxAside && file_.open(aside(path_, number)); ++number) {
      if (!lines) continue;
      if (const auto offset = find_tail(left)) {
        file_.seek(*offset);
        return;
      }
    }
    if (number > 0) file_.open(aside(path_, number - 1));
  }

  // The next bytes; empty when there are none now.
  std::string read() {
    if (!file_.is_open() && !file_.open(path_)) return {};
    for (int i = 0; i <= kMaxAside; ++i) {
      std::string bytes = file_.read();
      if (!bytes.empty()) return bytes;
      const auto next = next_file();
      if (!next) return {};
      // What was written after that look, before it was moved aside.
      if (bytes = file_.read(); !bytes.empty()) return bytes;
      if (!file_.open(*next)) return {};
    }
    return {};
  }

 private:
  // The offset in the open file at which the last `left` lines begin; nothing when it has fewer,
  // and `left` is then what the older ones have to give.
  std::optional<off_t> find_tail(std::int64_t& left) const {
    off_t end = file_.size();
    if (left == 0) return end;
    bool at_end = true;
    while (end > 0) {
      const std::string bytes = file_.read_before(end);
      if (bytes.empty()) return end;
      const off_t begin = end - static_cast<off_t>(bytes.size());
      for (std::size_t i = bytes.size(); i-- > 0;) {
        // The end of the last line begins no other.
        if (bytes[i] == '\n' && !std::exchange(at_end, false) && --left == 0)
          return begin + static_cast<off_t>(i) + 1;
      }
      end = begin;
    }
    if (!at_end && --left == 0) return 0;
    return std::nullopt;
  }

  // The file that came after the open one, which may have been moved aside since; the oldest that
  // is left when that one is gone: whoever reads slowly misses what nobody has any more.
  std::optional<std::string> next_file() const {
    int oldest = -1;
    for (int number = 0; number <= kMaxAside; ++number) {
      struct stat status = {};
      if (::stat(aside(path_, number).c_str(), &status) != 0) break;
      if (status.st_ino == file_.inode())
        return number > 0 ? std::optional(aside(path_, number - 1)) : std::nullopt;
      oldest = number;
    }
    return oldest >= 0 ? std::optional(aside(path_, oldest)) : std::nullopt;
  }

  std::string path_;
  OpenFile file_;
};

const ContainerState* find_container(const HostedPod* pod, const std::string& name) {
  if (!pod || !pod->state) return nullptr;
  for (const auto* list : {&pod->state->containers, &pod->state->init_containers})
    for (const ContainerState& state : *list)
      if (state.name == name) return &state;
  return nullptr;
}

class LogStream final : public http::Stream {
 public:
  LogStream(Loop& loop, Pool& pool, const PodHost& host, std::string uid, std::string path,
            LogRequest request)
      : loop_(loop),
        pool_(pool),
        host_(host),
        uid_(std::move(uid)),
        path_(path),
        request_(std::move(request)),
        log_(std::make_shared<RunLog>(std::move(path))),
        text_({.timestamps = request_.timestamps,
               .since = request_.since,
               .limit_bytes = request_.limit_bytes,
               .stream = request_.stream}) {}

  Task<Result<std::string>> next(std::stop_token stop) override {
    if (!std::exchange(begun_, true))
      co_await blocking(loop_, pool_,
                        [log = log_, lines = request_.tail_lines] { log->start(lines); });
    while (!stop.stop_requested() && !text_.is_full()) {
      // Asked before reading: what was written until then is read below.
      const bool goes_on = request_.follow && still_runs();
      const std::string bytes =
          co_await blocking(loop_, pool_, [log = log_] { return log->read(); });
      std::string text = text_.add(bytes);
      if (!text.empty()) co_return text;
      if (!bytes.empty()) continue;
      if (!goes_on) break;
      co_await sleep_for(loop_, PodLogReader::kFollowEvery, stop);
    }
    co_return std::string();
  }

 private:
  bool still_runs() const {
    const HostedPod* pod = host_.find(uid_);
    const ContainerState* state = find_container(pod, request_.container);
    return state && pod->alive && state->running() && state->log == path_;
  }

  Loop& loop_;
  Pool& pool_;
  const PodHost& host_;
  std::string uid_;
  std::string path_;
  LogRequest request_;
  std::shared_ptr<RunLog> log_;  // shared with a job on the pool that outlives a stopped stream
  LogText text_;
  bool begun_ = false;
};

}  // namespace

Task<Result<std::unique_ptr<http::Stream>>> PodLogReader::open(std::string uid, std::string pod,
                                                               LogRequest request) {
  const ContainerState* state = find_container(host_.find(uid), request.container);
  std::string path;
  // While it waits to be started again, the last run is the previous one, too.
  const bool between = state && state->waiting() && state->last_terminated;
  if (state) path = request.previous && !between ? state->previous_log : state->log;
  if (path.empty() && request.previous)
    co_return fail(ErrorCode::kBadRequest,
                   fmt::format("previous terminated container \"{}\" in pod \"{}\" not found",
                               request.container, pod));
  if (path.empty())
    co_return fail(
        ErrorCode::kBadRequest,
        fmt::format("container \"{}\" in pod \"{}\" is waiting to start: {}", request.container,
                    pod,
                    state && state->waiting() ? state->waiting()->reason : "ContainerCreating"));
  co_return std::make_unique<LogStream>(loop_, pool_, host_, std::move(uid), std::move(path),
                                        std::move(request));
}

}  // namespace slipway::runtime
