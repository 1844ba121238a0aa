#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "store/store.h"

// What the proxy saw of each Service, kept over its reloads and restarts.
namespace slipway::runtime::traffic {

struct Counters {
  std::uint64_t requests = 0;    // answered; connections, where the port is tcp
  std::uint64_t errors = 0;      // 5xx, the proxy's own among them
  std::uint64_t latency_us = 0;  // of all answers together, until their headers came

  bool operator==(const Counters&) const = default;
  Counters& operator+=(const Counters& more);
};
// Since `before`; a counter that is smaller than before began again.
Counters since(const Counters& before, const Counters& now);

// The counters of one proxy process, by Service.
using Reading = std::map<store::Key, Counters>;

class Ledger {
 public:
  static constexpr Duration kKeep = std::chrono::hours(1);
  static constexpr std::size_t kMaxSamples = 4'000;  // of one Service

  // What process `id` has counted so far. One whose first reading is not `fresh` has counted before
  // we looked: that counts for totals, but not for any window.
  void read(const std::string& id, const Reading& reading, bool fresh, Time now);
  // It has ended.
  void forget_process(const std::string& id) { last_.erase(id); }
  // The Service is gone: one of the same name has its own counts.
  void forget_service(const store::Key& service);

  // Since this program began, or as far back as the proxy that it found.
  const Reading& totals() const { return totals_; }
  // Between two moments, of what was read. Empty: nobody knows the Service, or it was not watched
  // then.
  std::optional<Counters> between(const store::Key& service, Time from, Time to) const;

 private:
  struct Sample {
    Time at;
    Counters counters;
  };
  void note(const store::Key& service, Time at);

  std::map<std::string, Reading> last_;  // by process
  Reading totals_;
  std::map<store::Key, std::deque<Sample>> history_;  // of totals_, at each change
  std::optional<Time> previous_;                      // when read() was last called
};

// The answer to `show stat`: rows of backends as counters without latency, and how many clients
// are connected to frontends.
struct StatTable {
  struct Row {
    std::string backend = {};
    Counters counters = {};
    bool http = false;
  };
  std::vector<Row> backends = {};
  std::uint64_t clients = 0;
};
inline constexpr const char* kShowStat = "show stat -1 3 -1";
StatTable parse_stat(std::string_view csv);
// The number in the answer to `get var`; 0 when there is none.
std::uint64_t parse_variable(std::string_view answer);

}  // namespace slipway::runtime::traffic
