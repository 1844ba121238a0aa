#include "store/kube/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

extern char** environ;

namespace slipway::store::kube {

namespace {

constexpr std::size_t kMaxErrorOutput = 4096;  // kept of what a program says on stderr
constexpr std::size_t kPiece = 4096;

class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

std::unexpected<Error> system_failure(std::string_view what, int error) {
  return fail(ErrorCode::kInternal, fmt::format("{}: {}", what, std::strerror(error)));
}

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};
Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_failure("pipe", errno);
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return system_failure("fcntl", errno);
  return pipe;
}

Result<Descriptor> make_timer(Duration after) {
  Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  if (!timer) return system_failure("timerfd", errno);
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(after);
  itimerspec when{};
  when.it_value.tv_sec = seconds.count();
  when.it_value.tv_nsec = std::max<Duration>(after - seconds, Duration(1)).count();
  if (::timerfd_settime(timer.get(), 0, &when, nullptr) != 0) return system_failure("timer", errno);
  return timer;
}

// A null-terminated array of C strings over texts that stay where they are.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> all;
  for (char** entry = environ; entry && *entry; ++entry) {
    std::string_view variable(*entry);
    if (!program.env.contains(std::string(variable.substr(0, variable.find('='))))) {
      all.emplace_back(variable);
    }
  }
  for (const auto& [name, value] : program.env) all.push_back(name + "=" + value);
  return all;
}

// A child that has been started and must be waited for.
class Child {
 public:
  Child(pid_t pid, Pipe out, Pipe err)
      : pid_(pid), out_(std::move(out.read_end)), err_(std::move(err.read_end)) {}
  Child(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) kill_and_wait();
  }

  Result<ProgramOutput> collect(const Program& program);

 private:
  // False at the end of the data.
  static bool drain(Descriptor& from, std::string& into, std::size_t keep);
  void kill_and_wait();
  int wait();

  pid_t pid_;
  Descriptor out_;
  Descriptor err_;
};

bool Child::drain(Descriptor& from, std::string& into, std::size_t keep) {
  std::array<char, kPiece> piece;
  while (from) {
    ssize_t count = ::read(from.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) break;
    std::size_t room = keep > into.size() ? keep - into.size() : 0;
    into.append(piece.data(), std::min(room, static_cast<std::size_t>(count)));
    if (into.size() >= keep) return true;
  }
  from.close();
  return false;
}

void Child::kill_and_wait() {
  ::kill(-pid_, SIGKILL);
  wait();
}

int Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result<ProgramOutput> Child::collect(const Program& program) {
  ProgramOutput output;
  // By number: the header of glibc 2.36 declares pidfd_open for C alone.
  Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (!ended) return system_failure("pidfd", errno);
  Result<Descriptor> timer = make_timer(program.time_limit);
  if (!timer) return std::unexpected(std::move(timer).error());
  std::string noise;  // what stderr says beyond its limit is read and dropped
  while (true) {
    std::array<pollfd, 4> polled = {{{ended.get(), POLLIN, 0},
                                     {timer->get(), POLLIN, 0},
                                     {out_.get(), POLLIN, 0},
                                     {err_.get(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return system_failure("poll", errno);
    }
    drain(out_, output.out, program.output_limit + 1);
    drain(err_, output.err.size() < kMaxErrorOutput ? output.err : noise, kMaxErrorOutput);
    noise.clear();
    if (output.out.size() > program.output_limit) {
      return fail(ErrorCode::kTooLarge,
                  fmt::format("{} printed more than {} bytes", program.path, program.output_limit));
    }
    // Its end counts, not that of its output, which a child of its own may still hold open.
    if (polled[0].revents != 0) break;
    if (polled[1].revents != 0) {
      return fail(ErrorCode::kTimeout, fmt::format("{} did not end within {}", program.path,
                                                   format_duration(program.time_limit)));
    }
  }
  output.exit_code = wait();
  drain(out_, output.out, program.output_limit);
  drain(err_, output.err, kMaxErrorOutput);
  return output;
}

// No inherited signal mask or ignored SIGPIPE: both would surprise the program.
void set_attributes(posix_spawnattr_t& attributes) {
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &pipe);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

Result<ProgramOutput> run_program(const Program& program) {
  Result<Pipe> out = make_pipe();
  Result<Pipe> err = make_pipe();
  if (!out || !err) return std::unexpected(!out ? out.error() : err.error());

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  set_attributes(attributes);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out->write_end.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err->write_end.get(), STDERR_FILENO);

  std::vector<std::string> words = {program.path};
  words.insert(words.end(), program.args.begin(), program.args.end());
  std::vector<std::string> environment = environment_of(program);
  pid_t pid = -1;
  int failed = ::posix_spawnp(&pid, program.path.c_str(), &actions, &attributes,
                              pointers_to(words).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    return fail(ErrorCode::kNotFound,
                fmt::format("cannot run {}: {}", program.path, std::strerror(failed)));
  }
  out->write_end.close();
  err->write_end.close();
  return Child(pid, std::move(*out), std::move(*err)).collect(program);
}

}  // namespace slipway::store::kube
