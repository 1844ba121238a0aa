#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "async/loop.h"
#include "async/readiness.h"

namespace slipway::http {

// The address of ours that a connection came to, as text without port or brackets.
std::string local_address(int socket);

// A listening socket. Accepted ones are non-blocking and handed over with the client's address.
class Listener {
 public:
  using Accepted = std::function<void(int socket, std::string peer)>;

  // Errors: kUnavailable with the address and the reason.
  static Result<std::unique_ptr<Listener>> open(Loop& loop, const std::string& address,
                                                std::uint16_t port, Accepted accepted);
  ~Listener();

  std::uint16_t port() const { return port_; }

 private:
  Listener(Loop& loop, int socket, Accepted accepted);
  void wait();
  void accept_some();

  Loop& loop_;
  int socket_;
  std::uint16_t port_ = 0;
  Accepted accepted_;
  std::unique_ptr<Readiness> readiness_;
  std::unique_ptr<Clock::Timer> pause_;
  bool exhausted_ = false;  // and that was said
};

}  // namespace slipway::http
