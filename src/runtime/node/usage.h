#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/blocking.h"
#include "async/loop.h"
#include "runtime/node/host.h"

namespace slipway::runtime {

// One process as /proc/PID/stat and statm show it.
struct ProcessUse {
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;
  std::uint64_t cpu_ticks = 0;  // user and system
  std::uint64_t memory_bytes = 0;
};
std::optional<std::uint64_t> parse_cpu_ticks(std::string_view stat);
// What is resident and not shared, from statm.
std::optional<std::uint64_t> parse_private_pages(std::string_view statm);

struct ContainerUse {
  std::string name = {};
  std::int64_t cpu_nanocores = 0;
  std::int64_t memory_bytes = 0;
};
struct PodUse {
  std::string uid = {};
  Time at = {};
  Duration window = {};
  std::vector<ContainerUse> containers = {};
};
struct NodeUse {
  Time at = {};
  Duration window = {};
  std::int64_t cpu_nanocores = 0;
  std::int64_t memory_bytes = 0;
};

// The rate between two sightings of the processes of one container. Those not seen before count
// whole: they began meanwhile.
std::int64_t cpu_rate(const std::vector<ProcessUse>& before, const std::vector<ProcessUse>& now,
                      Duration between, long ticks_a_second);

// Looks regularly at the processes of all Pods, while there are any.
class UsageSampler {
 public:
  static constexpr Duration kEvery = std::chrono::seconds(10);

  UsageSampler(Loop& loop, Pool& pool, const PodHost& host)
      : loop_(loop), pool_(pool), host_(host) {}

  // A job of the manager.
  Task<> run(std::stop_token stop);

  const std::vector<PodUse>& pods() const { return pods_; }
  const std::optional<NodeUse>& node() const { return node_; }

 private:
  struct Sighting;
  struct Root;
  Task<> sample();
  std::vector<Root> roots() const;
  void take(std::vector<Root> roots, Sighting sighting);

  Loop& loop_;
  Pool& pool_;
  const PodHost& host_;
  std::map<std::pair<std::string, std::string>, std::vector<ProcessUse>> last_;  // by uid and name
  Time last_at_ = {};
  std::uint64_t last_busy_ = 0;
  std::vector<PodUse> pods_;
  std::optional<NodeUse> node_;
};

}  // namespace slipway::runtime
