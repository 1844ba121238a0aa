#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"

// What the demo's application answers, and what it counts. Pure.
namespace slipway::cli {

// Named in every answer, so that a client knows that the application gave it, and not the proxy.
inline constexpr std::string_view kVersionHeader = "X-Version";

struct AppAnswer {
  int status = 200;
  std::string route = {};  // as metrics name it; empty: not counted
  std::string content_type = "text/plain; charset=utf-8";
  std::string body = {};
};

// Requests of pages may go wrong; probes and metrics never do.
bool is_app_page(std::string_view path);

// Which of the requests go wrong: `share` of them, evenly spread, so that any two stretches of the
// same length have nearly the same number. Drawn by lot, a version as good as the one before it
// would be aborted once in a thousand demos, as its manifest says. `owed`: how much of the first
// one has come together already, below 1.
class AppFailures {
 public:
  AppFailures(double share, double owed) : share_(share), owed_(owed) {}
  bool next();

 private:
  double share_, owed_;
};

// `fails`: this request is one of those that go wrong.
AppAnswer app_answer(std::string_view path, const std::string& version, bool fails);

// Requests and how long they took, as Prometheus reads them. Every route and code is there from the
// beginning: a counter that appears with its first error hides it.
class AppCounters {
 public:
  explicit AppCounters(std::string version);
  void count(const AppAnswer& answer, Duration took);
  std::string text() const;

 private:
  static constexpr std::array<double, 6> kBounds{0.002, 0.005, 0.01, 0.025, 0.1, 1};

  std::string version_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_ = {};  // by route and code
  std::array<std::uint64_t, kBounds.size() + 1> took_ = {};             // the last: longer
  double seconds_ = 0;
};

}  // namespace slipway::cli
