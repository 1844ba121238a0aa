#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "async/gate.h"
#include "base/random.h"
#include "http/client.h"

namespace slipway::cli {

// What became of requests so far.
struct LoadCounts {
  struct Version {
    std::uint64_t answers = 0, errors = 0;  // errors: answers of 500 and above
  };
  std::map<std::string, Version> versions = {};  // by who answered
  std::uint64_t lost = 0;  // not answered by the application: no connection, reset, proxy's word
  std::string last_loss = {};  // what happened to the last of them

  std::uint64_t answers() const;
};
// What happened between two moments.
LoadCounts since(const LoadCounts& before, const LoadCounts& now);

// Clients of the demo's application: requests at random moments, so many a second on average. On
// the loop's thread.
class Load {
 public:
  static constexpr double kRate = 200;  // a second
  static constexpr int kMaxInFlight = 100;
  static constexpr Duration kPatience = std::chrono::seconds(10);

  // `url`: without a path.
  Load(Loop& loop, std::string url);

  void start();
  // Waits for what is under way.
  Task<> stop();
  const LoadCounts& counts() const { return counts_; }

 private:
  Task<> run();
  Task<> ask(std::string path);
  void lose(std::string why);

  Loop& loop_;
  std::string url_;
  std::unique_ptr<http::Client> client_;
  std::unique_ptr<Random> random_ = system_random();
  LoadCounts counts_ = {};
  int in_flight_ = 0;
  Gate gate_;
};

}  // namespace slipway::cli
