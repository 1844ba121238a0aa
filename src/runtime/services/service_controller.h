#pragma once

#include <map>
#include <optional>

#include "control/events.h"
#include "runtime/node/addresses.h"
#include "runtime/services/endpoint_slices.h"
#include "runtime/workloads/own_writes.h"
#include "runtime/workloads/pod_table.h"
#include "runtime/workloads/selector_index.h"

namespace slipway::runtime {

// Gives each Service an address out of 127.128.0.0/10 and keeps its EndpointSlices and Endpoints;
// without a selector, the slices of the Endpoints that somebody wrote for it.
// For the embedded store.
//
// The address is written into spec.clusterIP right after the Service was made, and stays; "None"
// and ExternalName get none. One that the user wrote is kept; an event says when it is not within
// the range, or another Service has it.
class ServiceReconciler final : public control::Reconciler {
 public:
  ServiceReconciler(control::Manager& manager, control::Recorder& recorder, PodTable& pods);
  control::ControllerOptions options();

  Task<Result<control::Outcome>> reconcile(store::Key key) override;

 private:
  void subscribe(control::BringUp bring_up);
  // Keeps selectors and addresses up to date with the cache.
  void learn(const store::Item* before, const store::Item* after);
  void hold_address(const json::Object& service, const ServiceView& view);
  Task<Result<>> give_address(json::Object service, ServiceView view);
  // Endpoints that somebody writes, or used to write.
  Task<Result<control::Outcome>> mirror(json::Object service, ServiceView view);
  std::optional<json::Object> endpoints_of(const store::Key& key) const;
  std::vector<json::Object> slices_of(const ServiceView& view, std::string_view manager) const;
  Task<Result<>> write_slices(store::Key service, SlicePlan plan);
  Task<Result<>> write_endpoints(store::Key service, json::Object endpoints);
  Result<> note(const store::Key& service, const Result<store::Item>& written, OwnWrites& own);

  control::Manager& manager_;
  control::Recorder& recorder_;
  PodTable& pods_;
  Addresses addresses_{kServiceAddresses};
  SelectorIndex selectors_;
  OwnWrites own_services_;
  OwnWrites own_slices_;
  OwnWrites own_endpoints_;
  std::map<store::Key, Time> written_;  // when the endpoints of large Services were
};

}  // namespace slipway::runtime
