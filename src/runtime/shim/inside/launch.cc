#include "runtime/shim/inside/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "runtime/shim/inside/bind_filter.h"
#include "runtime/shim/process_list.h"

namespace slipway::runtime {

namespace {

constexpr int kStartTimeout = 20'000;  // ms: a file system that hangs must not hang the Pod
constexpr std::size_t kMaxReport = 4096;
constexpr const char* kDefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// What the child tells before it becomes the program, a letter and a text. The end of the reports
// without kFailed is the program running.
enum Report : char {
  kFailed = 'F',
  kBinds = 'B',
  kBindProblem = 'b',
  kMountProblem = 'm',
  kOwnRoot = 'r'
};

void report(int to, Report kind, std::string_view text, int descriptor = -1) {
  std::string bytes(1, kind);
  bytes += text.substr(0, kMaxReport - 1);
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  }
  ::sendmsg(to, &message, MSG_NOSIGNAL);
}

// Empty at the end, or after kStartTimeout.
std::string receive(int from, Descriptor& descriptor, bool& timed_out) {
  pollfd wait{.fd = from, .events = POLLIN, .revents = 0};
  int ready = 0;
  while ((ready = ::poll(&wait, 1, kStartTimeout)) < 0 && errno == EINTR) continue;
  timed_out = ready == 0;
  if (ready <= 0) return {};
  std::string bytes(kMaxReport, '\0');
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  const ssize_t got = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  if (const cmsghdr* rights = CMSG_FIRSTHDR(&message);
      got > 0 && rights && rights->cmsg_type == SCM_RIGHTS) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(rights), sizeof fd);
    descriptor = Descriptor(fd);
  }
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (auto& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::string path_variable(const Launch& launch) {
  for (const auto& [name, value] : launch.env)
    if (name == "PATH") return value;
  return kDefaultPath;
}

// Returns only when the program cannot be run: why.
std::string become_program(const Launch& launch) {
  std::vector<std::string> words = launch.argv;
  std::vector<std::string> variables;
  variables.reserve(launch.env.size());
  for (const auto& [name, value] : launch.env) variables.push_back(name + "=" + value);
  const auto argv = pointers(words);
  const auto env = pointers(variables);
  const std::string& program = launch.argv[0];
  if (program.find('/') != std::string::npos) {
    ::execve(program.c_str(), argv.data(), env.data());
    return fmt::format("cannot run \"{}\": {}", program, strerror(errno));
  }
  int refused = 0;
  for (const auto& folder : text::split(path_variable(launch), ':')) {
    ::execve((folder.empty() ? program : folder + "/" + program).c_str(), argv.data(), env.data());
    if (errno != ENOENT && errno != ENOTDIR) refused = errno;
  }
  if (refused) return fmt::format("cannot run \"{}\": {}", program, strerror(refused));
  return fmt::format("cannot run \"{}\": executable file not found in $PATH", program);
}

// A container that we may not look into: the command gets a view like its own.
void take_view(const Launch& launch, int to) {
  if (launch.beside && join_view(launch.beside->process, launch.beside->view)) return;
  if (launch.mounts.empty()) return;
  const auto mounted = mount_all(launch.mounts, launch.scratch);
  if (mounted) {
    if (mounted->own_root) report(to, kOwnRoot, "");
    return;
  }
  const bool may_do_without = mounted.error().code == ErrorCode::kUnavailable;
  report(to, may_do_without ? kMountProblem : kFailed, mounted.error().message);
  if (!may_do_without) detail::leave(127);
}

[[noreturn]] void run_child(const Launch& launch, pid_t parent, int output, int errors, int to) {
  detail::become_session(parent);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::umask(022);
  take_view(launch, to);
  if (!launch.working_dir.empty() && ::chdir(launch.working_dir.c_str()) != 0) {
    report(
        to, kFailed,
        fmt::format("cannot enter the working folder {}: {}", launch.working_dir, strerror(errno)));
    detail::leave(127);
  }
  if (launch.trap_binds) {
    if (const Descriptor binds = trap_binds())
      report(to, kBinds, "", binds.get());
    else
      report(to, kBindProblem, bind_problem_text("seccomp", errno));
  }
  report(to, kFailed, become_program(launch));
  detail::leave(127);
}

Result<> take_reports(int from, Launched& launched) {
  while (true) {
    Descriptor descriptor;
    bool timed_out = false;
    const std::string bytes = receive(from, descriptor, timed_out);
    if (timed_out) return fail(ErrorCode::kTimeout, "the program could not be loaded within 20s");
    if (bytes.empty()) return {};
    switch (bytes[0]) {
      case kBinds:
        launched.binds = std::move(descriptor);
        break;
      case kBindProblem:
        launched.bind_problem = bytes.substr(1);
        break;
      case kOwnRoot:
        launched.view.own_root = true;
        break;
      case kMountProblem:
        launched.mount_problem = bytes.substr(1);
        break;
      default:
        return fail(ErrorCode::kInvalid, bytes.substr(1));
    }
  }
}

}  // namespace

namespace detail {

void become_session(pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) leave(128 + SIGKILL);  // it died before we asked
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

pid_t fork_here() { return ::fork(); }
void leave(int code) { ::_exit(code); }
pid_t own_pid() { return ::getpid(); }

}  // namespace detail

Result<Launched> launch(const Launch& launch) {
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  int ends[2] = {-1, -1};
  if (!output.read || !errors.read ||
      ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorCode::kUnavailable, fmt::format("cannot make a pipe: {}", strerror(errno)));
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0)
    return fail(ErrorCode::kUnavailable, fmt::format("cannot fork: {}", strerror(errno)));
  if (pid == 0) run_child(launch, parent, output.write.get(), errors.write.get(), theirs.get());
  theirs.reset();

  Launched launched{.pid = pid, .output = std::move(output.read), .errors = std::move(errors.read)};
  if (auto ready = take_reports(ours.get(), launched); !ready) {
    ::kill(pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return std::unexpected(ready.error());
  }
  return launched;
}

std::vector<std::pair<std::string, std::string>> environment_of(const PodPlan& plan,
                                                                const ContainerPlan& container,
                                                                const std::string& folder) {
  auto env = container.env;
  const auto is_mark = [](const std::pair<std::string, std::string>& variable) {
    return variable.first == kMarkUid || variable.first == kMarkFolder ||
           variable.first == kMarkContainer;
  };
  std::erase_if(env, is_mark);
  const auto add = [&env](const char* name, const char* value) {
    const bool there =
        std::ranges::any_of(env, [name](const auto& variable) { return variable.first == name; });
    if (!there && value && *value) env.emplace_back(name, value);
  };
  // The programs are this machine's, so the way to them is ours.
  const char* path = std::getenv("PATH");
  add("PATH", path ? path : kDefaultPath);
  add("HOME", std::getenv("HOME"));
  add("HOSTNAME", plan.name.c_str());
  add("POD_IP", plan.pod_ip.c_str());
  env.emplace_back(kMarkUid, plan.uid);
  env.emplace_back(kMarkFolder, folder);
  env.emplace_back(kMarkContainer, container.name);
  return env;
}

}  // namespace slipway::runtime
