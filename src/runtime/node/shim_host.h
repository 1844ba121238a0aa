#pragma once

#include <map>
#include <memory>
#include <string>

#include "async/blocking.h"
#include "runtime/node/host.h"

namespace slipway::runtime {

// Pods as shims of this machine, one folder each below `pods_folder` (absolute).
class ShimHost final : public PodHost {
 public:
  ShimHost(Loop& loop, Pool& pool, std::string pods_folder, ShimProgram program = {});
  ~ShimHost() override;  // after close()

  Task<Result<>> open(Changed changed) override;
  const HostedPod* find(const std::string& uid) const override;
  std::vector<std::string> uids() const override;
  std::string folder(const std::string& uid) const override { return pods_folder_ + "/" + uid; }
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
  struct Pod {
    HostedPod hosted = {};
    std::unique_ptr<ShimClient> client = {};
  };
  Pod& add(const std::string& uid);
  void watch(const std::string& uid, Pod& pod);
  ShimClient* client_of(const std::string& uid) const;

  Loop& loop_;
  Pool& pool_;
  std::string pods_folder_;
  ShimProgram program_;
  Changed changed_;
  std::map<std::string, std::unique_ptr<Pod>> pods_;  // by uid
};

// Makes the folders and files of a Pod: volumes, work, termination messages. Blocking.
Result<> write_volumes(const std::string& folder, const PodOrder& order);

}  // namespace slipway::runtime
