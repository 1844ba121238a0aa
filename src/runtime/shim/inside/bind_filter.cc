#include "runtime/shim/inside/bind_filter.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/file.h"

namespace slipway::runtime {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "name the architecture as seccomp does"
#endif

// Newer than some headers. A signal that does not kill leaves a bind alone that the shim has begun:
// Go's scheduler sends signals all the time, and a bind cannot be done twice.
constexpr unsigned long kWaitKillable = 1UL << 5;
constexpr unsigned kPidfdThread = O_EXCL;
constexpr std::size_t kMaxStatus = 64 * 1024;

int install(unsigned long flags, sock_fprog& program) {
  return static_cast<int>(::syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER,
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW | flags, &program));
}

// A thread's own table of descriptors may differ from its process's; kernels before 6.9 know
// processes alone.
Descriptor open_pidfd(pid_t thread) {
  Descriptor found(static_cast<int>(::syscall(SYS_pidfd_open, thread, kPidfdThread)));
  if (found || errno != EINVAL) return found;
  auto status = file::read(fmt::format("/proc/{}/status", thread), kMaxStatus);
  const auto at = status ? status->find("\nTgid:") : std::string::npos;
  if (at == std::string::npos) return Descriptor();
  const pid_t process = static_cast<pid_t>(std::strtol(status->c_str() + at + 6, nullptr, 10));
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

int option(int socket, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  return ::getsockopt(socket, level, name, &value, &length) == 0 ? value : 0;
}

const sockaddr* address_of(const BindAddress& address) {
  return reinterpret_cast<const sockaddr*>(&address.bytes);
}

int bind_to(int socket, const BindAddress& address) {
  return ::bind(socket, address_of(address), address.length) == 0 ? 0 : errno;
}

// A bind that a signal interrupted is asked for again although it has been done.
bool is_bound_to(int socket, const BindAddress& address) {
  BindAddress now{.length = sizeof(sockaddr_storage)};
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&now.bytes), &now.length) == 0 &&
         now.length == address.length && std::memcmp(&now.bytes, &address.bytes, now.length) == 0;
}

std::pair<std::string, std::uint16_t> parts_of(const BindAddress& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.bytes.ss_family == AF_INET) {
    sockaddr_in inet{};
    std::memcpy(&inet, &address.bytes, sizeof inet);
    ::inet_ntop(AF_INET, &inet.sin_addr, text, sizeof text);
    return {text, ntohs(inet.sin_port)};
  }
  sockaddr_in6 inet{};
  std::memcpy(&inet, &address.bytes, sizeof inet);
  ::inet_ntop(AF_INET6, &inet.sin6_addr, text, sizeof text);
  return {text, ntohs(inet.sin6_port)};
}

template <class Address>
BindAddress bytes_of(const Address& address) {
  BindAddress result{.length = sizeof address};
  std::memcpy(&result.bytes, &address, sizeof address);
  return result;
}

BindAnswer decide_v4(const BindAddress& asked, in_addr pod) {
  sockaddr_in address{};
  std::memcpy(&address, &asked.bytes, sizeof address);
  if (address.sin_addr.s_addr != htonl(INADDR_ANY) || address.sin_port == 0)
    return {.first = asked};
  address.sin_addr = pod;
  return {.first = bytes_of(address)};
}

BindAnswer decide_v6(const BindAddress& asked, bool ipv6_only, in_addr pod) {
  sockaddr_in6 address{};
  std::memcpy(&address, &asked.bytes, std::min<std::size_t>(asked.length, sizeof address));
  const bool mapped =
      IN6_IS_ADDR_V4MAPPED(&address.sin6_addr) &&
      std::ranges::all_of(&address.sin6_addr.s6_addr[12], &address.sin6_addr.s6_addr[16],
                          [](unsigned char byte) { return byte == 0; });
  if ((!IN6_IS_ADDR_UNSPECIFIED(&address.sin6_addr) && !mapped) || address.sin6_port == 0)
    return {.first = asked};
  if (ipv6_only) {
    address.sin6_addr = in6addr_loopback;
    const BindAddress first = bytes_of(address);
    address.sin6_port = 0;
    return {.first = first, .else_ = bytes_of(address)};
  }
  address.sin6_addr = {};
  address.sin6_addr.s6_addr[10] = address.sin6_addr.s6_addr[11] = 0xFF;
  std::memcpy(&address.sin6_addr.s6_addr[12], &pod, sizeof pod);
  return {.first = bytes_of(address)};
}

}  // namespace

Descriptor trap_binds() {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bind, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
  };
  sock_fprog program{.len = std::size(code), .filter = code};
  int fd = install(kWaitKillable, program);
  if (fd < 0 && errno == EACCES && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    fd = install(kWaitKillable, program);
  if (fd < 0 && errno == EINVAL) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    fd = install(0, program);
  }
  return Descriptor(fd);
}

BindAnswer decide_bind(const BindAddress& asked, bool ipv6_only, in_addr pod) {
  if (asked.length >= sizeof(sockaddr_in) && asked.bytes.ss_family == AF_INET)
    return decide_v4(asked, pod);
  // The kernel takes addresses without their last member, the scope, as well.
  if (asked.length >= offsetof(sockaddr_in6, sin6_scope_id) && asked.bytes.ss_family == AF_INET6)
    return decide_v6(asked, ipv6_only, pod);
  return {.first = asked};
}

struct BindGuard::Request {
  pid_t thread = 0;
  int socket = -1;
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  std::uint64_t id = 0;
};

struct BindGuard::Reply {
  int error = 0;
  bool go_on = false;  // the kernel does what was asked
};

BindGuard::BindGuard(Descriptor notifications, in_addr pod)
    : notifications_(std::move(notifications)), pod_(pod) {}

BindGuard::Reply BindGuard::perform(const Request& request) {
  constexpr Reply kGoOn{.go_on = true};
  if (request.length > sizeof(sockaddr_storage)) return kGoOn;
  BindAddress asked{.length = static_cast<socklen_t>(request.length)};
  iovec here{.iov_base = &asked.bytes, .iov_len = asked.length};
  iovec there{.iov_base = reinterpret_cast<void*>(request.address),  // NOLINT: theirs
              .iov_len = asked.length};
  if (::process_vm_readv(request.thread, &here, 1, &there, 1, 0) !=
      static_cast<ssize_t>(asked.length)) {
    if (errno == EPERM || errno == ENOSYS) problem_ = bind_problem_text("process_vm_readv", errno);
    return kGoOn;
  }
  if (asked.bytes.ss_family != AF_INET && asked.bytes.ss_family != AF_INET6) return kGoOn;

  const Descriptor process = open_pidfd(request.thread);
  const Descriptor socket(
      process ? static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), request.socket, 0))
              : -1);
  if (!socket) {
    if (errno == EPERM || errno == ENOSYS) problem_ = bind_problem_text("pidfd_getfd", errno);
    return kGoOn;
  }
  // Only now is it certain that all of this was read from the one who asked: while its call waits,
  // its number cannot be another's.
  std::uint64_t id = request.id;
  if (::ioctl(notifications_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) != 0) return kGoOn;

  const bool ipv6_only = option(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY) != 0;
  const BindAnswer answer = decide_bind(asked, ipv6_only, pod_);
  int error = bind_to(socket.get(), answer.first);
  if (error == EADDRINUSE && answer.else_) error = bind_to(socket.get(), *answer.else_);
  if (error == EINVAL && is_bound_to(socket.get(), answer.first)) error = 0;
  const auto [host, port] = parts_of(answer.first);
  if (port != 0 && (error == 0 || error == EADDRINUSE))
    last_ = {.done = error == 0,
             .in_use = error == 0 ? ""
                                  : fmt::format("port {} of {} is in use; end the process that "
                                                "listens there, or choose another port",
                                                port, host)};
  return {.error = error};
}

bool BindGuard::answer() {
  // The kernel's structs may be longer than those we were compiled with.
  constexpr std::size_t kRoom = 4096;
  alignas(8) unsigned char room[kRoom] = {};
  if (::ioctl(notifications_.get(), SECCOMP_IOCTL_NOTIF_RECV, room) != 0)
    return errno == ENOENT || errno == EINTR || errno == EAGAIN;
  seccomp_notif asked{};
  std::memcpy(&asked, room, sizeof asked);
  const Reply reply = perform({.thread = static_cast<pid_t>(asked.pid),
                               .socket = static_cast<int>(asked.data.args[0]),
                               .address = asked.data.args[1],
                               .length = asked.data.args[2],
                               .id = asked.id});
  std::memset(room, 0, sizeof room);
  const seccomp_notif_resp answered{
      .id = asked.id,
      .val = 0,
      .error = -reply.error,
      .flags = reply.go_on ? static_cast<std::uint32_t>(SECCOMP_USER_NOTIF_FLAG_CONTINUE) : 0U};
  std::memcpy(room, &answered, sizeof answered);
  ::ioctl(notifications_.get(), SECCOMP_IOCTL_NOTIF_SEND, room);
  return true;
}

std::string BindGuard::take_problem() {
  if (told_ || problem_.empty()) return {};
  told_ = true;
  return problem_;
}

std::string bind_problem_text(const char* what, int error) {
  return fmt::format(
      "wildcard binds are not redirected to the Pod's address: {}: {}; programs must bind POD_IP",
      what, strerror(error));
}

}  // namespace slipway::runtime
