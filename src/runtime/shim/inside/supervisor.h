#pragma once

#include <netinet/in.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/shim/decide.h"
#include "runtime/shim/inside/commands.h"
#include "runtime/shim/inside/container_process.h"
#include "runtime/shim/inside/control.h"
#include "runtime/shim/inside/poller.h"

namespace slipway::runtime {

// The shim's shell: carries out what decide_next() says, and what is asked over control.sock.
class Supervisor {
 public:
  // `folder` is the Pod's, absolute; `state` is where to go on from.
  Supervisor(std::string folder, PodPlan plan, PodState state);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Answers from here on, and has written its state. `folder_descriptor` is the folder, open;
  // `signals` is a signalfd of SIGCHLD, SIGTERM and SIGINT.
  Result<> prepare(int folder_descriptor, int signals);
  // Returns when nothing runs any more and nothing will.
  void run();

 private:
  using Processes = std::vector<std::unique_ptr<ContainerProcess>>;

  // One round of waiting; then what it brought.
  void turn();
  void take_signals();
  void reap();
  void note_binds(ContainerProcess& process);
  void ended(Processes::iterator process, int status);
  Terminated describe_end(const ContainerProcess& process, int status) const;
  // Starts and stops what is due, until nothing is.
  void advance();
  bool apply(const Step& step);
  void start(Which which);
  Result<LogFile> open_log(ContainerState& state);
  // The folders and files that a program finds there when it begins.
  Result<Launch> prepare_launch(const ContainerPlan& container) const;
  // Of something that is run beside a container.
  Result<Launch> prepare_command(const ContainerProcess& process,
                                 std::vector<std::string> argv) const;
  // Writes and tells the state when it has changed.
  void publish();
  Duration time_to_wait();

  // Stopping.
  void stop_pod(Duration grace);
  void advance_stop();
  void begin_stop(ContainerProcess& process, Duration deadline, std::string message);
  void run_hook(ContainerProcess& process, const Hook& hook);
  void send_term(ContainerProcess& process);
  void kill_now(ContainerProcess& process);
  void check_deadlines();

  // Requests.
  void asked(ControlServer::Connection connection, const Request& request);
  Result<json::Value> kill_container(const Request& request);
  Result<json::Value> mark_started(const Request& request);
  Result<json::Value> replace(const Request& request);
  void exec(ControlServer::Connection connection, const Request& request);
  ContainerProcess* find(const std::string& name);
  std::set<pid_t> first_processes_but(pid_t pid) const;

  std::string folder_;
  PodPlan plan_;
  PodState state_;
  PodState written_;
  std::optional<in_addr> pod_ip_;
  int signals_ = -1;
  Poller poller_;
  Processes processes_;
  Commands commands_;
  ControlServer control_;
  std::optional<Time> again_;              // when decide_next() wants to be asked
  std::optional<Duration> stop_deadline_;  // of the whole Pod
  bool stop_at_once_ = false;              // asked for without any grace
};

}  // namespace slipway::runtime
