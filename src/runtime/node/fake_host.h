#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "async/loop.h"
#include "runtime/node/host.h"

namespace slipway::runtime {

// How one run of a container goes.
struct FakeRun {
  Duration starts_after = std::chrono::milliseconds(20);
  std::optional<Duration> ends_after = {};  // by itself; empty: never
  int exit_code = 0;
  Duration stops_after =
      std::chrono::milliseconds(20);  // when told to; over the grace it is killed
  int stop_code = 0;
};

// A machine in virtual time: its Pods go on when the program that looks at them ends, as real ones
// do. They follow the shim's own rules of order, restarts and back-off.
class FakeMachine {
 public:
  explicit FakeMachine(Loop& loop);
  ~FakeMachine();

  // The n-th run of a container, from 0.
  std::function<FakeRun(const PodPlan& plan, const ContainerPlan& container, int run)> script =
      [](const PodPlan&, const ContainerPlan&, int) { return FakeRun{}; };
  std::function<ExecAnswer(const PodPlan& plan, const std::string& container,
                           const std::vector<std::string>& argv)>
      on_exec = [](const PodPlan&, const std::string&, const std::vector<std::string>&) {
        return ExecAnswer{};
      };
  // The log file of the n-th run; the fake writes none.
  std::function<std::string(const PodPlan& plan, const ContainerPlan& container, int run)> log_of =
      [](const PodPlan&, const ContainerPlan&, int) { return std::string(); };
  std::function<Result<>(const PodPlan& plan)> refuse_start = [](const PodPlan&) {
    return Result<>();
  };

  // As kill -9 of its shim does: everything of the Pod is gone at once, nobody tells the end.
  void kill_shim(const std::string& uid);
  // As kill -9 of a container's process.
  void kill_process(const std::string& uid, const std::string& container);
  // What happened, in order: "start a", "stop a", "kill a/main", "forget a" (names of Pods).
  const std::vector<std::string>& journal() const { return journal_; }
  std::size_t running() const;  // containers

 private:
  friend class FakePodHost;
  struct Pod;
  void begin(const std::string& uid);
  void advance(Pod& pod);
  void end_run(Pod& pod, bool init, std::size_t index, int exit_code, int signal,
               std::string message);
  void stop(Pod& pod, Duration grace);
  void stop_run(Pod& pod, bool init, std::size_t index, Duration grace, std::string message);
  void publish(Pod& pod);

  Loop& loop_;
  std::map<std::string, std::unique_ptr<Pod>> pods_;  // by uid
  std::vector<std::string> journal_;
  PodHost::Changed changed_;  // of the host that is open now
  pid_t next_pid_ = 1000;
};

// One program's life on a FakeMachine.
class FakePodHost final : public PodHost {
 public:
  explicit FakePodHost(FakeMachine& machine) : machine_(machine) {}

  Task<Result<>> open(Changed changed) override;
  const HostedPod* find(const std::string& uid) const override;
  std::vector<std::string> uids() const override;
  std::string folder(const std::string& uid) const override { return "/fake/pods/" + uid; }
  Task<Result<>> start(PodOrder order) override;
  Task<Result<>> stop(std::string uid, Duration grace) override;
  Task<Result<>> kill_container(std::string uid, std::string container, Duration grace,
                                std::string message) override;
  Task<Result<>> replace(std::string uid, ContainerPlan container, Duration grace,
                         std::string message) override;
  Task<Result<>> mark_started(std::string uid, std::string container, std::int32_t run) override;
  Task<Result<ExecAnswer>> exec(std::string uid, std::string container,
                                std::vector<std::string> argv, Duration timeout) override;
  Task<Result<>> forget(std::string uid) override;
  Task<> close() override;

 private:
  FakeMachine& machine_;
};

}  // namespace slipway::runtime
