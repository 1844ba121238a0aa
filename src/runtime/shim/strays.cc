#include "runtime/shim/strays.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>

#include "runtime/shim/client.h"

namespace slipway::runtime {

namespace {

bool is_variable(std::string_view entry) {
  const auto name = entry.substr(0, entry.find('='));
  if (name.empty() || name.size() == entry.size()) return false;
  return std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

std::vector<Session> sessions_in(const std::string& pod_folder) {
  const auto state = read_state(pod_folder);
  return state ? sessions_of(*state, boot_id()) : std::vector<Session>();
}

}  // namespace

std::vector<Session> sessions_of(const PodState& state, std::string_view boot) {
  std::vector<Session> sessions;
  if (boot.empty() || state.shim.boot_id != boot) return sessions;
  for (const auto* list : {&state.init_containers, &state.containers})
    for (const auto& container : *list)
      if (const auto* running = container.running();
          running && running->pid > 1 && running->start_ticks > 0)
        sessions.push_back({.leader = running->pid, .start_ticks = running->start_ticks});
  return sessions;
}

std::set<pid_t> members_of(const std::vector<Process>& processes,
                           const std::vector<Session>& sessions) {
  std::map<pid_t, std::uint64_t> ours;
  for (const auto& session : sessions) ours[session.leader] = session.start_ticks;
  for (const auto& process : processes) {
    const auto leads = ours.find(process.pid);
    if (leads != ours.end() && leads->second != process.start_ticks) ours.erase(leads);
    const auto within = ours.find(process.session);
    if (within != ours.end() && process.start_ticks < within->second) ours.erase(within);
  }
  std::set<pid_t> members;
  for (const auto& process : processes)
    if (ours.contains(process.session)) members.insert(process.pid);
  return members;
}

bool has_variables(std::string_view environment) {
  while (!environment.empty()) {
    const auto end = environment.find('\0');
    if (is_variable(environment.substr(0, end))) return true;
    environment.remove_prefix(end == std::string_view::npos ? environment.size() : end + 1);
  }
  return false;
}

int kill_strays_of(const std::string& pod_folder) {
  const auto sessions = sessions_in(pod_folder);
  return kill_all([&](const std::vector<Process>& processes) {
    const auto own = descendants(processes, {::getpid()}, {});
    const auto members = members_of(processes, sessions);
    std::set<pid_t> strays;
    for (const auto& process : processes) {
      if (own.contains(process.pid) || process.ended) continue;
      const std::string environment = read_environment(process.pid);
      if (variable_in(environment, kMarkFolder) == pod_folder ||
          (members.contains(process.pid) && !has_variables(environment)))
        strays.insert(process.pid);
    }
    return descendants(processes, strays, own);
  });
}

int sweep_strays(const std::string& pods_folder, const std::vector<FoundShim>& found,
                 const std::set<std::string>& known) {
  std::error_code wrong;
  const std::string below = std::filesystem::weakly_canonical(pods_folder, wrong).string() + "/";
  std::vector<Session> sessions;
  for (const auto& shim : found)
    if (!known.contains(shim.uid) && !shim.alive && shim.state)
      std::ranges::copy(sessions_of(*shim.state, boot_id()), std::back_inserter(sessions));
  return kill_all([&](const std::vector<Process>& processes) {
    const auto members = members_of(processes, sessions);
    std::set<pid_t> strays;
    for (const auto& process : processes) {
      if (process.ended) continue;
      const std::string environment = read_environment(process.pid);
      const bool marked = variable_in(environment, kMarkFolder).starts_with(below) &&
                          !known.contains(variable_in(environment, kMarkUid));
      if (marked || (members.contains(process.pid) && !has_variables(environment)))
        strays.insert(process.pid);
    }
    return strays;
  });
}

}  // namespace slipway::runtime
