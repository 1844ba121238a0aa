#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "async/signal.h"
#include "control/events.h"
#include "runtime/node/addresses.h"
#include "runtime/traffic/proxy.h"
#include "runtime/traffic/resolve.h"
#include "runtime/traffic/stats.h"

namespace slipway::runtime::traffic {

// Keeps the proxy in line with Services, EndpointSlices, Gateways and HTTPRoutes, and says in their
// status what came of it. For the embedded store, for one term of a manager that has not started.
//
// A change of weights or Pods is told to the running proxy at once, whatever else has changed. What
// needs a reload waits until kReloadPace after the last one, so that many changes cost one. A proxy
// that dies is started again.
class TrafficController {
 public:
  static constexpr Duration kReloadPace = std::chrono::milliseconds(300);
  static constexpr Duration kReadInterval = std::chrono::seconds(1);
  static constexpr Duration kTryAgain = std::chrono::seconds(5);

  // `folder` is the proxy's own, absolute.
  TrafficController(control::Manager& manager, control::Recorder& recorder, Pool& pool,
                    std::string folder);

  // A job of the manager.
  Task<> run(std::stop_token stop);
  // After the manager has stopped. The proxy goes on unless it is to end.
  void stop(bool end_proxy);

  const Ledger& ledger() const { return ledger_; }
  // What happened to the proxy so far.
  struct Counts {
    std::uint64_t reloads = 0, changes = 0, restarts = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  void subscribe();
  template <class View>
  void follow(const api::Gvr& kind, std::map<store::Key, View> Sources::* part,
              View (*read)(const json::Object&));
  void wake();
  Duration until_next() const;

  // A look at everything. Errors: what is wanted is not carried; again after kTryAgain.
  Task<Result<>> bring_in_line(std::stop_token stop);
  void give_addresses();
  // Without the routes that the proxy has refused, as long as they are what they were.
  Resolved look();
  // Those that cannot be listened at leave the traffic.
  Task<> find_taken_ports(Resolved& resolved);
  // kRefused: not with these routes. kOvertaken: something has changed since it was resolved.
  enum class Outcome { kDone, kRefused, kOvertaken };
  Task<Result<Outcome>> apply(const Resolved& wanted, std::stop_token stop);
  // Over the proxy's socket; false: it needs a reload.
  Task<bool> tell(Change change, Traffic afterwards);
  Task<Result<Outcome>> reload(const Resolved& wanted, std::stop_token stop);
  bool refuse_routes(const Resolved& resolved, const Rendered& rendered,
                     const std::vector<Finding>& findings);
  Task<> write_statuses(const Resolved& resolved);
  Task<> write_routes(const Resolved& resolved);
  // What is to be written into its status, if anything is.
  std::optional<json::Object> judge_route(const store::Key& key, const Resolved& resolved);
  Task<> write_gateway(store::Key key, const std::vector<ListenerVerdict>& verdicts);
  Task<> write_service(store::Key key, const Resolved& resolved);
  void tell_node(control::EventKind kind, std::string reason, std::string message);
  void proxy_died();

  control::Manager& manager_;
  control::Recorder& recorder_;
  Pool& pool_;
  Loop& loop_;
  Sources sources_;
  Terms terms_;
  std::map<store::Key, RouteVersion> refused_at_;
  Addresses addresses_{kGatewayAddresses};
  Proxy proxy_;
  Applied applied_;
  bool loaded_ = false;  // applied_ is what the proxy carries
  Ledger ledger_;
  Counts counts_;
  bool dirty_ = true;
  Signal changed_;
  std::optional<Duration> again_at_;  // uptime
  std::optional<Duration> reloaded_at_;
  Duration read_at_ = {};
  std::map<store::Key, std::string> said_;  // why a Service is silent
  std::map<store::Key, std::string> said_of_gateways_;
};

}  // namespace slipway::runtime::traffic
