#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "runtime/shim/client.h"
#include "runtime/shim/inside/launch.h"
#include "runtime/shim/inside/poller.h"

namespace slipway::runtime {

inline constexpr std::size_t kMaxCommands = 128;  // at a time

// Short-lived commands beside the containers: exec probes and hooks.
class Commands {
 public:
  using Done = std::function<void(ExecAnswer)>;

  explicit Commands(Poller& poller) : poller_(poller) {}
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  // `done` is called once: when the command has ended, or when it was killed for taking longer than
  // `timeout`. Now, when it cannot be started.
  void run(const Launch& launch, Duration timeout, Done done);
  // The same for a GET: exit code 0 when the answer is below 400.
  void get(const Hook& hook, const std::string& pod_ip, Duration timeout, Done done);

  // A child of this process has ended. False when it is none of these.
  bool ended(pid_t pid, int exit_code);
  // Kills what is out of time; when to look again.
  std::optional<Duration> check_time();

  bool full() const { return running_.size() >= kMaxCommands; }

 private:
  struct Command {
    Descriptor output = {};
    Descriptor errors = {};
    std::string text = {};
    Duration deadline = {};
    bool timed_out = false;
    Done done = {};
  };

  void add(pid_t pid, Launched launched, Duration timeout, Done done);
  void read(pid_t pid, Descriptor Command::* from);
  static void drain(Command& command, const Descriptor& from);

  Poller& poller_;
  std::map<pid_t, Command> running_;
};

// Blocking, at most `timeout`: the status code of the answer, 0 when there is none. For a process
// of its own.
int http_status(const Hook& hook, const std::string& pod_ip, Duration timeout);

}  // namespace slipway::runtime
