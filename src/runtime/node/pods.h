#pragma once

#include <map>
#include <set>
#include <string>

#include "async/blocking.h"
#include "control/events.h"
#include "runtime/node/addresses.h"
#include "runtime/node/decide_pod.h"
#include "runtime/node/order.h"
#include "runtime/node/prober.h"
#include "runtime/node/status.h"

namespace slipway::runtime {

struct PodNodeOptions {
  NodeFacts node = {};
  Environment::Entries base = {};  // of every container's environment
  std::string images_file = {};    // images.yaml; need not be there
  ShimTuning tuning = {};
};

// The one node: Pods of the store as Pods of a host, and what becomes of them as their status.
//
// Nothing that has to survive is kept here. A Pod is started under its uid, so that starting it
// twice is starting it once; an object goes only when nothing of it runs; a Pod whose object has
// gone is stopped.
class PodReconciler final : public control::Reconciler {
 public:
  static inline const api::Gvr kKind{"", "v1", "pods"};
  static constexpr int kWorkers = 16;  // one that starts a Pod waits for its shim
  static constexpr Duration kRefusedAgain = std::chrono::seconds(5);
  static constexpr std::size_t kMaxImagesFile = 1024 * 1024;

  PodReconciler(control::Manager& manager, control::Recorder& recorder, PodHost& host,
                ProbeClient& probes, Pool& pool, PodNodeOptions options);

  control::ControllerOptions options();
  // Takes up what an earlier program left running; no Pod is looked at before that. To be run once,
  // as a job of the manager.
  Task<> open(std::stop_token stop);
  Task<Result<control::Outcome>> reconcile(store::Key key) override;
  // Looks that wait for open() end.
  void request_stop() { gate_.request_stop(); }
  // After the manager. Pods go on.
  Task<> stop();

 private:
  // A Pod as one look finds it.
  struct Look {
    store::Key key = {};
    store::Version version = 0;
    json::Value pod = {};
    std::string uid = {};
  };
  using Done = Result<control::Outcome>;

  Task<bool> wait_open();
  Task<Done> act(Look look, PodStep step);
  Task<Done> schedule(Look look);
  Task<Done> gate(Look look);
  Task<Done> start(Look look);
  Task<Result<std::expected<PodOrder, Refusal>>> build(const Look& look, std::string address);
  Task<Done> hand_over(Look look, PodOrder order);
  Task<Done> refuse(Look look, Refusal refusal);
  Task<Done> report(Look look, PodStep step);
  Task<Done> end(Look look, PodStep step);
  Task<Done> remove(Look look);
  // Ends what runs under this name and is another Pod than `uid`.
  Task<Done> retire(store::Key key, std::string uid);
  Task<Result<>> forget(store::Key key, std::string uid);

  Task<Result<PodSources>> find_sources(const Look& look);
  Task<Result<Images>> read_images();
  Task<Result<>> write_status(const Look& look, json::Value status);
  StatusInputs inputs_for(const Look& look) const;
  std::string address_of(const Look& look);
  void tell(const Look& look, const HostedPod& hosted);
  void tell_refusal(const Look& look, const Refusal& refusal);
  void changed(const std::string& uid);
  void probe_failed(const std::string& uid, const std::string& container, ProbeKind kind,
                    const ProbeSpec& spec, const std::string& message, bool fatal);
  // Gives containers whose image was changed their new one.
  Task<Done> replace_changed(const Look& look);
  // Tells the host which sidecars have passed their startup probe.
  Task<Result<>> mark_started(std::string uid);
  Task<> kill(std::string uid, std::string container, Duration grace, std::string message);

  control::Manager& manager_;
  control::Recorder& recorder_;
  PodHost& host_;
  Pool& pool_;
  PodNodeOptions options_;
  Prober prober_;
  Addresses addresses_{kPodAddresses};
  control::BringUp bring_up_;
  std::map<store::Key, std::set<std::string>>
      hosted_;                                  // uids by the name of the Pod; refused ones, too
  std::map<std::string, PodState> told_;        // what events have told, by uid
  std::map<std::string, std::string> refused_;  // the last message, by uid
  bool open_ = false;
  Signal opened_;
  Gate gate_;
};

}  // namespace slipway::runtime
