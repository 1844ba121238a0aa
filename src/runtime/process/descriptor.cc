#include "runtime/process/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace slipway::runtime {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::reset() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

}  // namespace slipway::runtime
