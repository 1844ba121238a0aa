#pragma once

#include <optional>
#include <stop_token>
#include <utility>

#include "async/loop.h"
#include "async/signal.h"

namespace slipway {

// At most so many at a time: whoever wants in waits its turn, first come, first served. Outlives
// its permits.
class Limit {
 public:
  Limit(Loop& loop, int places) : free_(places), freed_(loop) {}

  // Destroying a permit lets the next one in.
  class Permit {
   public:
    explicit Permit(Limit& limit) : limit_(&limit) {}
    Permit(Permit&& other) noexcept : limit_(std::exchange(other.limit_, nullptr)) {}
    Permit& operator=(Permit&&) = delete;
    ~Permit() {
      if (limit_) limit_->leave();
    }

   private:
    Limit* limit_;
  };

  // Empty when `stop` was requested first.
  Task<std::optional<Permit>> enter(std::stop_token stop = {});
  // Empty when there is no place now.
  std::optional<Permit> try_enter();

 private:
  void leave();

  int free_;
  Signal freed_;
};

}  // namespace slipway
