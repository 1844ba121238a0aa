#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/shim/process_list.h"
#include "runtime/shim/state.h"

// What is left of a Pod whose shim was killed: its containers' first processes die with it, what
// those had started need not. Such a process has the Pod's mark in its environment; if it has
// written its title over that, as nginx does, it is known by its session.
namespace slipway::runtime {

// A container's session, by its first process, which may have ended.
struct Session {
  pid_t leader = 0;
  std::uint64_t start_ticks = 0;
  bool operator==(const Session&) const = default;
};

// Of the containers that ran when the state was written; none when that was before `boot`.
std::vector<Session> sessions_of(const PodState& state, std::string_view boot);

// The members among `processes`, which are all of the machine, the ended ones included. As long as
// a session has members no new process gets its number; so one whose leader began at another time,
// or that has members older than its own leader, is somebody else's.
std::set<pid_t> members_of(const std::vector<Process>& processes,
                           const std::vector<Session>& sessions);

// Whether there is one variable at least. The marks stand last, so what has lost them to a title
// has lost all others; variables without marks are of somebody who was never ours, or does not want
// to be.
bool has_variables(std::string_view environment);

// Kills everything of this Pod, but this process and what descends from it. The folder has no
// living shim, or it is this process. Blocking. Returns how many.
int kill_strays_of(const std::string& pod_folder);

}  // namespace slipway::runtime
