#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "async/gate.h"
#include "runtime/node/host.h"
#include "runtime/node/probe.h"

namespace slipway::runtime {

// Asks one container once, within the probe's timeout, or until `stop`.
class ProbeClient {
 public:
  virtual ~ProbeClient() = default;
  virtual Task<ProbeAnswer> ask(std::string uid, std::string container, std::string pod_ip,
                                ProbeSpec spec, std::stop_token stop) = 0;
};

// Whether a container is well, as far as its probes say. Without a probe it is.
struct ContainerHealth {
  bool started = true;
  bool ready = true;
};

// Runs the probes of all containers of this node. A probe belongs to one run of its container: the
// next run begins with new ones.
class Prober {
 public:
  struct Listener {
    std::function<void(const std::string& uid)> changed;  // of what health() gives
    // One answer that was a failure; `fatal`: it was one too many, and the container has to go.
    std::function<void(const std::string& uid, const std::string& container, ProbeKind kind,
                       const ProbeSpec& spec, const std::string& message, bool fatal)>
        failed;
  };
  Prober(Loop& loop, ProbeClient& client, Listener listener);

  // Brings the probes of a Pod in line with how it is now: starts those of containers that run,
  // ends those of containers that do not. `pod` is the document, whose status tells what held
  // before this program began.
  void update(const json::Value& pod, const HostedPod& hosted);
  void drop(const std::string& uid);
  ContainerHealth health(const std::string& uid, const std::string& container) const;

  void request_stop() { gate_.request_stop(); }
  Task<> stop();

 private:
  struct Probe;
  struct Container {
    Time started_at = {};
    pid_t pid = 0;
    bool running = false;
    // Shared with the coroutines that ask: they may outlive the container's run.
    std::map<ProbeKind, std::shared_ptr<Probe>> probes = {};
  };
  using Containers = std::map<std::string, Container>;

  void begin_run(const json::Value& pod, const json::Value& spec, const ContainerState& state,
                 Container& container);
  void start_probes(const PodPlan& plan, const std::string& name, Container& container);
  Task<> run(std::string uid, std::string container, std::string pod_ip, Time started_at,
             std::shared_ptr<Probe> probe);

  Loop& loop_;
  ProbeClient& client_;
  Listener listener_;
  std::map<std::string, Containers> pods_;  // by uid
  Gate gate_;
};

}  // namespace slipway::runtime
