#include "runtime/shim/process_list.h"

#include <dirent.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <map>
#include <memory>

#include "base/file.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxStat = 4096;
constexpr int kMaxRounds = 50;
constexpr int kQuickRounds = 10;
constexpr int kRoundWait = 10;  // ms

template <class Number>
bool parse_number(std::string_view text, Number& into) {
  return std::from_chars(text.data(), text.data() + text.size(), into).ec == std::errc();
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

std::optional<Process> parse_stat(std::string_view stat) {
  Process process;
  if (!parse_number(stat, process.pid)) return std::nullopt;
  // The name stands in brackets and may hold brackets and blanks itself: the last one ends it.
  const auto bracket = stat.rfind(')');
  if (bracket == std::string_view::npos || bracket + 2 >= stat.size()) return std::nullopt;
  stat.remove_prefix(bracket + 2);
  std::vector<std::string_view> words;
  while (!stat.empty() && words.size() < 20) {
    const auto blank = stat.find(' ');
    words.push_back(stat.substr(0, blank));
    stat.remove_prefix(blank == std::string_view::npos ? stat.size() : blank + 1);
  }
  if (words.size() < 20 || words[0].size() != 1) return std::nullopt;
  process.ended = words[0][0] == 'Z' || words[0][0] == 'X';
  if (!parse_number(words[1], process.parent) || !parse_number(words[3], process.session) ||
      !parse_number(words[19], process.start_ticks))
    return std::nullopt;
  return process;
}

std::optional<Process> read_process(pid_t pid) {
  auto text = file::read(fmt::format("/proc/{}/stat", pid), kMaxStat);
  return text ? parse_stat(*text) : std::nullopt;
}

std::vector<Process> list_processes() {
  std::vector<Process> found;
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir("/proc"));
  if (!folder) return found;
  while (const dirent* entry = ::readdir(folder.get())) {
    pid_t pid = 0;
    if (!parse_number(entry->d_name, pid)) continue;
    if (auto process = read_process(pid)) found.push_back(*process);
    if (found.size() >= kMaxProcesses) break;
  }
  return found;
}

std::string read_environment(pid_t pid) {
  return file::read(fmt::format("/proc/{}/environ", pid), kMaxEnvironment).value_or("");
}

std::string variable_of(pid_t pid, std::string_view name) {
  return variable_in(read_environment(pid), name);
}

std::string variable_in(std::string_view rest, std::string_view name) {
  while (!rest.empty()) {
    const auto end = rest.find('\0');
    const std::string_view entry = rest.substr(0, end);
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return std::string(entry.substr(name.size() + 1));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {};
}

std::set<pid_t> descendants(const std::vector<Process>& processes, const std::set<pid_t>& roots,
                            const std::set<pid_t>& except) {
  std::multimap<pid_t, pid_t> children;
  for (const auto& process : processes) children.emplace(process.parent, process.pid);
  std::set<pid_t> found;
  std::vector<pid_t> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const pid_t pid = open.back();
    open.pop_back();
    if (except.contains(pid) || !found.insert(pid).second) continue;
    const auto [begin, end] = children.equal_range(pid);
    for (auto child = begin; child != end; ++child) open.push_back(child->second);
  }
  return found;
}

int kill_all(const Choose& choose) {
  std::set<pid_t> killed;
  for (int round = 0; round < kMaxRounds; ++round) {
    const auto processes = list_processes();
    auto chosen = choose(processes);
    for (const auto& process : processes)
      if (process.ended) chosen.erase(process.pid);
    std::erase_if(chosen, [](pid_t pid) { return pid <= 1 || pid == ::getpid(); });
    if (chosen.empty()) break;
    for (const pid_t pid : chosen)
      if (::kill(pid, SIGKILL) == 0) killed.insert(pid);
    ::poll(nullptr, 0, round < kQuickRounds ? 1 : kRoundWait);
  }
  return static_cast<int>(killed.size());
}

}  // namespace slipway::runtime
