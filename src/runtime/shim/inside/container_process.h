#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <optional>
#include <set>
#include <string>

#include "runtime/shim/decide.h"
#include "runtime/shim/inside/bind_filter.h"
#include "runtime/shim/inside/launch.h"
#include "runtime/shim/inside/log_file.h"
#include "runtime/shim/inside/poller.h"

namespace slipway::runtime {

// A container while it runs: its streams go to the log, its binds are answered.
class ContainerProcess {
 public:
  // How far its stopping has come.
  struct Stop {
    enum class Stage { kHook, kTerm, kKill };
    Stage stage = Stage::kHook;
    Duration deadline = {};    // by clock_uptime()
    std::string message = {};  // of its end
  };

  ContainerProcess(Poller& poller, Which which, Launched launched, LogFile log, in_addr pod);
  ~ContainerProcess();
  ContainerProcess(const ContainerProcess&) = delete;
  ContainerProcess& operator=(const ContainerProcess&) = delete;

  // Writes what it has left behind; after its end.
  void finish();
  std::string take_bind_problem();
  const BindGuard::Last& last_bind() const { return last_bind_; }

  Which which() const { return which_; }
  pid_t pid() const { return pid_; }
  const View& view() const { return view_; }
  std::optional<Stop> stop = {};

 private:
  struct Stream {
    Descriptor from = {};
    LogLines lines;
  };
  // True when there may be more.
  bool read(Stream& stream);
  void close(Stream& stream);
  void answer_bind();

  Poller& poller_;
  Which which_;
  pid_t pid_;
  View view_;
  LogFile log_;
  Stream output_;
  Stream errors_;
  std::optional<BindGuard> binds_;
  BindGuard::Last last_bind_;
};

// Kills what is left of a container: its session, what carries its mark, and what descends from
// those; not what is in `others`, the first processes of its neighbours. Returns when they are
// gone, but for those that the kernel holds.
void kill_container_processes(pid_t first, const std::string& name, const std::set<pid_t>& others);

}  // namespace slipway::runtime
