#include "runtime/node/usage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "runtime/shim/process_list.h"

namespace slipway::runtime {

struct UsageSampler::Root {
  std::string uid = {};
  std::string container = {};
  pid_t pid = 0;
  Time started_at = {};
};

// What one look at /proc found: the processes of each root, and the whole machine.
struct UsageSampler::Sighting {
  std::vector<std::vector<ProcessUse>> of_roots = {};
  std::uint64_t busy_ticks = 0;
  std::int64_t memory_bytes = 0;
};

namespace {

constexpr std::size_t kMaxProcFile = 64 * 1024;

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::string& word : text::split(line, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::optional<ProcessUse> read_use(const Process& process) {
  const auto stat = file::read(fmt::format("/proc/{}/stat", process.pid), kMaxProcFile);
  const auto statm = file::read(fmt::format("/proc/{}/statm", process.pid), kMaxProcFile);
  if (!stat || !statm) return std::nullopt;  // it has ended
  const auto ticks = parse_cpu_ticks(*stat);
  const auto pages = parse_private_pages(*statm);
  if (!ticks || !pages) return std::nullopt;
  return ProcessUse{.pid = process.pid,
                    .start_ticks = process.start_ticks,
                    .cpu_ticks = *ticks,
                    .memory_bytes = *pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

// A process whose parent has ended belongs to the shim, but stays in the container's session.
std::vector<ProcessUse> uses_below(const std::vector<Process>& processes, pid_t root) {
  std::set<pid_t> pids = descendants(processes, {root}, {});
  std::vector<ProcessUse> uses;
  for (const Process& process : processes)
    if (pids.contains(process.pid) || process.session == root)
      if (auto use = read_use(process)) uses.push_back(*use);
  return uses;
}

std::uint64_t busy_ticks() {
  const auto stat = file::read("/proc/stat", 4 * kMaxProcFile);
  if (!stat) return 0;
  const auto words = words_of(std::string_view(*stat).substr(0, stat->find('\n')));
  std::uint64_t busy = 0;
  constexpr std::size_t kIdle = 4, kIoWait = 5, kLast = 8;
  for (std::size_t i = 1; i < std::min(words.size(), kLast + 1); ++i)
    if (i != kIdle && i != kIoWait) busy += number_of(words[i]);
  return busy;
}

std::int64_t used_memory() {
  const auto text = file::read("/proc/meminfo", kMaxProcFile);
  if (!text) return 0;
  std::int64_t total = 0, available = 0;
  for (const std::string& line : text::split(*text, '\n')) {
    const auto words = words_of(line);
    if (words.size() < 2) continue;
    if (words[0] == "MemTotal:") total = static_cast<std::int64_t>(number_of(words[1]));
    if (words[0] == "MemAvailable:") available = static_cast<std::int64_t>(number_of(words[1]));
  }
  return (total - available) * 1024;
}

}  // namespace

std::optional<std::uint64_t> parse_cpu_ticks(std::string_view stat) {
  // The name, in brackets, may hold anything; the fields after it are numbered from 3.
  const auto name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto words = words_of(stat.substr(name_end + 1));
  constexpr std::size_t kUser = 14 - 3, kSystem = 15 - 3;
  if (words.size() <= kSystem) return std::nullopt;
  return number_of(words[kUser]) + number_of(words[kSystem]);
}

std::optional<std::uint64_t> parse_private_pages(std::string_view statm) {
  const auto words = words_of(statm);
  if (words.size() < 3) return std::nullopt;
  const std::uint64_t resident = number_of(words[1]), shared = number_of(words[2]);
  return resident > shared ? resident - shared : 0;
}

std::int64_t cpu_rate(const std::vector<ProcessUse>& before, const std::vector<ProcessUse>& now,
                      Duration between, long ticks_a_second) {
  if (between <= Duration::zero() || ticks_a_second <= 0) return 0;
  std::uint64_t ticks = 0;
  for (const ProcessUse& use : now) {
    const auto known = std::ranges::find_if(before, [&](const ProcessUse& old) {
      return old.pid == use.pid && old.start_ticks == use.start_ticks;
    });
    const std::uint64_t counted = known == before.end() ? 0 : known->cpu_ticks;
    if (use.cpu_ticks > counted) ticks += use.cpu_ticks - counted;
  }
  const double seconds = std::chrono::duration<double>(between).count();
  return static_cast<std::int64_t>(static_cast<double>(ticks) /
                                   static_cast<double>(ticks_a_second) / seconds * 1e9);
}

Task<> UsageSampler::run(std::stop_token stop) {
  do {
    co_await sample();
  } while (co_await sleep_for(loop_, kEvery, stop));
}

std::vector<UsageSampler::Root> UsageSampler::roots() const {
  std::vector<Root> found;
  for (const std::string& uid : host_.uids()) {
    const HostedPod* pod = host_.find(uid);
    if (!pod || !pod->alive || !pod->state) continue;
    for (const auto* list : {&pod->state->init_containers, &pod->state->containers})
      for (const ContainerState& state : *list)
        if (const Running* running = state.running())
          found.push_back({uid, state.name, running->pid, running->started_at});
  }
  return found;
}

Task<> UsageSampler::sample() {
  auto wanted = roots();
  if (wanted.empty()) {
    pods_.clear();
    node_.reset();
    last_.clear();
    last_busy_ = 0;
    co_return;
  }
  std::vector<pid_t> pids;
  for (const Root& root : wanted) pids.push_back(root.pid);
  Sighting sighting = co_await blocking(loop_, pool_, [pids = std::move(pids)] {
    Sighting seen{.busy_ticks = busy_ticks(), .memory_bytes = used_memory()};
    const auto processes = list_processes();
    for (const pid_t pid : pids) seen.of_roots.push_back(uses_below(processes, pid));
    return seen;
  });
  take(std::move(wanted), std::move(sighting));
}

void UsageSampler::take(std::vector<Root> roots, Sighting sighting) {
  const Time now = loop_.clock().now();
  const long hertz = sysconf(_SC_CLK_TCK);
  std::map<std::pair<std::string, std::string>, std::vector<ProcessUse>> seen;
  std::map<std::string, PodUse> pods;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Root& root = roots[i];
    const auto key = std::pair(root.uid, root.container);
    std::vector<ProcessUse>& uses = sighting.of_roots[i];
    const auto before = last_.find(key);
    const bool known = before != last_.end() && last_at_ > root.started_at;
    const Duration window = now - (known ? last_at_ : root.started_at);
    PodUse& pod = pods[root.uid];
    pod.uid = root.uid;
    pod.at = now;
    pod.window = pod.containers.empty() ? window : std::min(pod.window, window);
    ContainerUse use{.name = root.container};
    use.cpu_nanocores =
        cpu_rate(known ? before->second : std::vector<ProcessUse>(), uses, window, hertz);
    for (const ProcessUse& each : uses)
      use.memory_bytes += static_cast<std::int64_t>(each.memory_bytes);
    pod.containers.push_back(std::move(use));
    seen[key] = std::move(uses);
  }
  pods_.clear();
  for (auto& [uid, pod] : pods) pods_.push_back(std::move(pod));
  if (last_busy_ > 0 && now > last_at_) {
    const double seconds = std::chrono::duration<double>(now - last_at_).count();
    const double ticks = static_cast<double>(sighting.busy_ticks - last_busy_);
    node_ = NodeUse{.at = now,
                    .window = now - last_at_,
                    .cpu_nanocores = static_cast<std::int64_t>(ticks / static_cast<double>(hertz) /
                                                               seconds * 1e9),
                    .memory_bytes = sighting.memory_bytes};
  }
  last_ = std::move(seen);
  last_at_ = now;
  last_busy_ = sighting.busy_ticks;
}

}  // namespace slipway::runtime
