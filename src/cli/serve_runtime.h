#pragma once

#include <memory>
#include <string>

#include "control/events.h"
#include "runtime/node/logs.h"
#include "runtime/node/pods.h"
#include "runtime/node/probe_client.h"
#include "runtime/node/shim_host.h"
#include "runtime/node/usage.h"
#include "runtime/workloads/workloads.h"
#include "server/pod_logs.h"
#include "server/pod_usage.h"

namespace slipway::cli {

// Whether the file that --images names is there and can be used; later changes to it show at the
// next Pod. Errors name the file.
Result<> check_images(const std::string& path);

// The embedded cluster: what runs Pods on this machine and tells of them, for a manager that has
// not started yet.
class ServedRuntime {
 public:
  struct Options {
    std::string data;         // the server's folder; Pods live in pods/ below it
    std::string images = {};  // images.yaml; empty: that of the folder
  };
  ServedRuntime(control::Manager& manager, Random& random, Options options);

  // Before the manager stops.
  void request_stop() { pods_.request_stop(); }
  // After it has. Pods go on.
  Task<> stop();

  server::PodLogs& logs() { return logs_; }
  const server::PodUsage& usage() const { return usage_; }

 private:
  class Logs final : public server::PodLogs {
   public:
    explicit Logs(runtime::PodLogReader reader) : reader_(reader) {}
    Task<Result<std::unique_ptr<http::Stream>>> open(std::string uid, std::string pod,
                                                     server::LogOptions options) override;

   private:
    runtime::PodLogReader reader_;
  };
  class Usage final : public server::PodUsage {
   public:
    Usage(const runtime::UsageSampler& sampler, std::string node)
        : sampler_(sampler), node_(std::move(node)) {}
    std::vector<server::PodUsageSample> pods() const override;
    std::optional<server::NodeUsageSample> node() const override;

   private:
    const runtime::UsageSampler& sampler_;
    std::string node_;
  };

  std::unique_ptr<Pool> pool_;
  control::Recorder recorder_;
  runtime::ShimHost host_;
  runtime::NetworkProbes probes_;
  runtime::PodReconciler pods_;
  runtime::UsageSampler sampler_;
  runtime::Workloads workloads_;
  Logs logs_;
  Usage usage_;
};

}  // namespace slipway::cli
