#include "runtime/shim/control_dial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "async/completion.h"
#include "runtime/shim/inside/control.h"
#include "runtime/shim/messages.h"

namespace slipway::runtime {

namespace {

std::unexpected<Error> gone() { return fail(ErrorCode::kUnavailable, "the Pod's shim has gone"); }

}  // namespace

Descriptor dial(const std::string& folder) {
  const Descriptor open(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!open) return Descriptor();
  const std::string path = control_path(open.get());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket ||
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return Descriptor();
  return socket;
}

ControlLine::ControlLine(Loop& loop, Descriptor socket)
    : loop_(loop), socket_(std::move(socket)), readiness_(loop, socket_.get()) {}

Task<ControlLine::Wait> ControlLine::wait(bool to_write, Duration timeout, std::stop_token stop) {
  Completion<Wait> done(loop_);
  if (to_write)
    readiness_.when_writable([done] { done.set(Wait::kReady); });
  else
    readiness_.when_readable([done] { done.set(Wait::kReady); });
  const auto timer = loop_.clock().call_after(timeout, [done] { done.set(Wait::kTimeout); });
  const std::stop_callback stopped(stop, [done] { done.set(Wait::kStopped); });
  co_return co_await done;
}

Task<Result<>> ControlLine::send(std::string bytes, Duration timeout, std::stop_token stop) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t put = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) sent += static_cast<std::size_t>(put);
    if (put >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) co_return gone();
    const Wait waited = co_await wait(true, timeout, stop);
    if (waited == Wait::kTimeout)
      co_return fail(ErrorCode::kTimeout, "the Pod's shim does not answer");
    if (waited == Wait::kStopped) co_return fail(ErrorCode::kCancelled, "stopped");
  }
  co_return Result<>();
}

Task<Result<std::string>> ControlLine::receive(Duration timeout, std::stop_token stop) {
  while (true) {
    if (const auto end = in_.find('\n'); end != std::string::npos) {
      std::string line = in_.substr(0, end);
      in_.erase(0, end + 1);
      co_return line;
    }
    char buffer[16 * 1024];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0 && in_.size() + static_cast<std::size_t>(got) <= kMaxMessage) {
      in_.append(buffer, static_cast<std::size_t>(got));
      continue;
    }
    if (got >= 0) co_return gone();
    if (errno == EINTR) continue;
    if (errno != EAGAIN) co_return gone();
    const Wait waited = co_await wait(false, timeout, stop);
    if (waited == Wait::kTimeout)
      co_return fail(ErrorCode::kTimeout, "the Pod's shim does not answer");
    if (waited == Wait::kStopped) co_return fail(ErrorCode::kCancelled, "stopped");
  }
}

}  // namespace slipway::runtime
