#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/blocking.h"
#include "async/loop.h"
#include "base/scratch_testing.h"
#include "runtime/shim/client.h"

// Real Pods for tests: the test program itself becomes the shim.
namespace slipway::runtime {

// The program of tests as a shim.
ShimProgram test_shim();

ContainerPlan shell(std::string name, std::string script);
ContainerPlan program(std::string name, std::vector<std::string> argv);

// One Pod on a loop of its own. Stopped, and its processes looked for, in the end.
class TestPod {
 public:
  explicit TestPod(std::vector<ContainerPlan> containers);
  ~TestPod();
  TestPod(const TestPod&) = delete;
  TestPod& operator=(const TestPod&) = delete;

  PodPlan plan = {};

  // The shim runs as a user without rights from here on.
  void drop_rights();

  // Writes the plan, starts the shim, watches.
  void start();
  Result<> try_start();
  // Runs the loop until `holds` of the newest state; false after `most`.
  bool until(const std::function<bool(const PodState&)>& holds,
             Duration most = std::chrono::seconds(10));
  bool until_gone(Duration most = std::chrono::seconds(10));
  bool until_true(const std::function<bool()>& holds, Duration most = std::chrono::seconds(10));

  Result<> stop(Duration grace);
  Result<> kill_container(const std::string& name, Duration grace, const std::string& message);
  Result<ExecAnswer> exec(const std::string& name, std::vector<std::string> argv, Duration timeout);

  // Started by another process, which is then killed with its process group, and found.
  void start_by_a_server_that_is_killed();
  // Forgets everything, as a server does that is killed.
  void lose_sight();
  // And finds the Pod again.
  void become_another_server();

  const PodState& state() const { return state_; }
  const ContainerState& container(std::size_t index = 0) const { return state_.containers[index]; }
  bool alive() const { return alive_; }
  const std::string& folder() const { return folder_; }
  std::string pods_folder() const;
  std::string log(std::size_t container = 0) const;  // the texts, without time, stream and tag
  // Every state seen, oldest first.
  const std::vector<PodState>& history() const { return history_; }
  // The living processes that carry this Pod's mark.
  std::vector<pid_t> marked_processes() const;

 private:
  void connect();

  ScratchFolder scratch_;
  std::string folder_;
  ShimProgram program_ = test_shim();
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<ShimClient> client_;
  PodState state_ = {};
  std::vector<PodState> history_ = {};
  bool alive_ = false;
  bool told_gone_ = false;
  bool dropped_ = false;
};

// The texts of a log file.
std::string log_text(const std::string& path);

}  // namespace slipway::runtime
