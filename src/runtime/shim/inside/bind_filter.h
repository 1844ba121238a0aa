#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/process/descriptor.h"

// Programs in containers bind 0.0.0.0, each in its own network. Here they share one, so a wildcard
// bind is made a bind to the Pod's address: the kernel hands each bind(2) to the shim (seccomp user
// notification), which takes a copy of the socket and binds it itself. Static programs are no
// exception, and the address cannot change between the look and the bind: the shim binds to what it
// has read. One thing shows: a signal that comes before the shim has looked interrupts the call,
// which is restarted, or fails with EINTR when the handler was set without SA_RESTART.
namespace slipway::runtime {

// In the container's process, before exec: from here on every bind(2) of it and of what it starts
// waits for the one who holds the descriptor. Empty when the kernel refuses; errno says why.
Descriptor trap_binds();

struct BindAddress {
  sockaddr_storage bytes = {};
  socklen_t length = 0;
};

struct BindAnswer {
  BindAddress first = {};                 // where to bind
  std::optional<BindAddress> else_ = {};  // and where when that is in use
};

// Pure. Wildcards with a port go to `pod`; port 0, which cannot clash and may be a client's, and
// everything else stay as asked. A socket for IPv6 alone, which is not reachable at the Pod's
// address in Kubernetes either, goes to ::1, on any port when that one is taken there.
BindAnswer decide_bind(const BindAddress& asked, bool ipv6_only, in_addr pod);

// Answers what trap_binds() holds up.
class BindGuard {
 public:
  // `notifications`: from trap_binds().
  BindGuard(Descriptor notifications, in_addr pod);

  int descriptor() const { return notifications_.get(); }

  // After the descriptor became readable. False when nobody is left who could bind.
  bool answer();

  // One line when something could not be redirected, once.
  std::string take_problem();

  // How the last bind to a port of the program's choice ended.
  struct Last {
    bool done = false;
    std::string in_use = {};  // one line when the port was
  };
  const Last& last() const { return last_; }

 private:
  struct Request;
  struct Reply;
  Reply perform(const Request& request);

  Descriptor notifications_;
  in_addr pod_;
  std::string problem_;
  Last last_;
  bool told_ = false;
};

// "wildcard binds are not redirected to the Pod's address: …"
std::string bind_problem_text(const char* what, int error);

}  // namespace slipway::runtime
