#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "async/limit.h"

namespace slipway::analysis {

// Whose turn it is to ask: so many queries at once, and so many of one source, so that a slow
// source holds up its own queries alone. First come, first served.
class Turns {
 public:
  Turns(Loop& loop, int at_once, int of_one_source);
  ~Turns();

  // Destroying it lets the next one in.
  class Turn {
   public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    friend class Turns;
    Turn(Turns& turns, std::string source);
    Turns* turns_;
    std::string source_;
    std::optional<Limit::Permit> own_ = {}, shared_ = {};
  };

  // Errors: kTimeout when it took longer than `patience`, kCancelled when stopped.
  slipway::Task<Result<Turn>> take(std::string source, Duration patience, std::stop_token stop);

  // Sources that somebody asks or waits for.
  std::size_t sources() const { return sources_.size(); }

 private:
  struct Source;
  void leave(const std::string& source);

  Loop& loop_;
  Limit shared_;
  int of_one_source_;
  std::map<std::string, std::unique_ptr<Source>> sources_;
};

}  // namespace slipway::analysis
