#include "runtime/services/service_controller.h"

#include <fmt/format.h>

#include "api/object.h"
#include "async/wait_all.h"
#include "runtime/services/endpoints.h"
#include "runtime/services/mirror.h"
#include "store/decode.h"

namespace slipway::runtime {

namespace {

using control::EventKind;
using control::Outcome;

// A Service of many Pods is not rewritten for each of them: the more there are, the longer between.
constexpr std::size_t kManyPods = 100;
constexpr Duration kPacePerHundred = std::chrono::milliseconds(100);

// Whether a change of a Pod can change what is said of it.
bool matters(const PodView* before, const PodView* after) {
  if (!before || !after) return true;
  return before->ip != after->ip || before->ready != after->ready ||
         before->is_over() != after->is_over() || before->deleting != after->deleting ||
         before->labels != after->labels || before->node != after->node;
}

}  // namespace

ServiceReconciler::ServiceReconciler(control::Manager& manager, control::Recorder& recorder,
                                     PodTable& pods)
    : manager_(manager),
      recorder_(recorder),
      pods_(pods),
      own_services_(manager, kServices),
      own_slices_(manager, kEndpointSlices),
      own_endpoints_(manager, kEndpoints) {}

control::ControllerOptions ServiceReconciler::options() {
  return {.name = "service",
          .kind = kServices,
          .owns = {kEndpointSlices, kEndpoints},
          .needs = {kPods},
          .subscribe = [this](control::BringUp by) { subscribe(std::move(by)); }};
}

void ServiceReconciler::subscribe(control::BringUp bring_up) {
  manager_.cache(kServices).on_change(
      [this](const store::Item* before, const store::Item* after) { learn(before, after); });
  // Those that somebody wrote belong to nobody, and to the Service of their name.
  manager_.cache(kEndpoints)
      .on_change([bring_up](const store::Item* before, const store::Item* after) {
        bring_up((after ? after : before)->key);
      });
  pods_.on_change([this, bring_up](const PodView* before, const PodView* after) {
    if (!matters(before, after)) return;
    for (const PodView* pod : {before, after})
      if (pod)
        for (const store::Key& key : selectors_.selecting(pod->key.ns, pod->labels)) bring_up(key);
  });
}

void ServiceReconciler::learn(const store::Item* before, const store::Item* after) {
  const auto document = store::decode(after ? *after : *before);
  if (!document) return;
  ServiceView view = view_service(*document);
  if (!after || view.is_external() || view.is_headless())
    addresses_.release(view.uid);
  else if (!view.cluster_ip.empty())
    hold_address(*document, view);
  if (!after) return selectors_.erase(before->key);
  if (view.finds_pods())
    selectors_.put(after->key, std::move(view.selector));
  else
    selectors_.erase(after->key);
}

void ServiceReconciler::hold_address(const json::Object& service, const ServiceView& view) {
  if (addresses_.hold(view.uid, view.cluster_ip)) return;
  const auto address = parse_address(view.cluster_ip);
  const bool inside = address && kServiceAddresses.contains(*address);
  recorder_.record(
      service, EventKind::kWarning, inside ? "ClusterIPAlreadyAllocated" : "ClusterIPOutOfRange",
      inside ? fmt::format("Cluster IP {} belongs to another Service; leave spec.clusterIP out to "
                           "get a free one",
                           view.cluster_ip)
             : fmt::format("Cluster IP {} is not within 127.128.0.0/10; leave spec.clusterIP out "
                           "to get one that is",
                           view.cluster_ip));
}

Task<Result<Outcome>> ServiceReconciler::reconcile(store::Key key) {
  SLIPWAY_CO_TRY(co_await own_services_.shown(key));
  SLIPWAY_CO_TRY(co_await own_slices_.shown(key));
  SLIPWAY_CO_TRY(co_await own_endpoints_.shown(key));
  const store::Item* item = manager_.cache(kServices).get(key);
  if (!item) {
    written_.erase(key);
    co_return Outcome{};
  }
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  ServiceView view = view_service(*document);
  if (view.wants_address()) {
    SLIPWAY_CO_TRY(co_await give_address(std::move(*document), std::move(view)));
    co_return Outcome{.again = Duration::zero()};  // its slices, with the address
  }
  if (view.deleting) co_return Outcome{};
  if (!view.finds_pods()) co_return co_await mirror(std::move(*document), std::move(view));

  const auto pods = pods_.matching(key.ns, view.selector);
  const Time now = manager_.loop().clock().now();
  if (pods.size() > kManyPods) {
    const Time next = written_[key] + kPacePerHundred * static_cast<int>(pods.size() / kManyPods);
    if (now < next) co_return Outcome{.again = next - now};
  } else {
    written_.erase(key);
  }
  SlicePlan plan = decide_slices(*document, view, pods, slices_of(view, kSliceManager));
  for (json::Object& mirrored : slices_of(view, kMirrorManager))
    plan.remove.push_back(std::move(mirrored));
  const std::optional<json::Object> old = endpoints_of(key);
  auto endpoints = decide_endpoints(*document, view, pods, old ? &*old : nullptr);
  if (pods.size() > kManyPods && (!plan.empty() || endpoints)) written_[key] = now;
  SLIPWAY_CO_TRY(co_await write_slices(key, std::move(plan)));
  if (endpoints) SLIPWAY_CO_TRY(co_await write_endpoints(key, std::move(*endpoints)));
  co_return Outcome{};
}

Task<Result<Outcome>> ServiceReconciler::mirror(json::Object service, ServiceView view) {
  const std::optional<json::Object> endpoints =
      view.is_external() ? std::nullopt : endpoints_of(view.key);
  SlicePlan plan = decide_mirror(service, view, endpoints ? &*endpoints : nullptr,
                                 slices_of(view, kMirrorManager));
  SLIPWAY_CO_TRY(co_await write_slices(view.key, std::move(plan)));
  co_return Outcome{};
}

std::optional<json::Object> ServiceReconciler::endpoints_of(const store::Key& key) const {
  const store::Item* item = manager_.cache(kEndpoints).get(key);
  if (!item) return std::nullopt;
  auto read = store::decode(*item);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

Task<Result<>> ServiceReconciler::give_address(json::Object service, ServiceView view) {
  const std::string address = addresses_.take(view.uid);
  if (address.empty()) {
    recorder_.record(service, EventKind::kWarning, "ClusterIPNotAllocated",
                     "All of 127.128.0.0/10 is taken");
    co_return fail(ErrorCode::kUnavailable, "no address is left for the Service");
  }
  json::Object metadata{{"uid", view.uid},
                        {"resourceVersion", std::to_string(api::version_of(service))}};
  auto written = co_await manager_.store().patch(
      kServices, view.key,
      {.type = store::PatchType::kMerge,
       .body = json::Object{{"metadata", std::move(metadata)},
                            {"spec", json::Object{{"clusterIP", address}}}}},
      {});
  co_return note(view.key, written, own_services_);
}

Result<> ServiceReconciler::note(const store::Key& service, const Result<store::Item>& written,
                                 OwnWrites& own) {
  auto noted = own.note(service, written);
  // In a namespace that is going there is nothing to keep up.
  if (!noted && noted.error().code == ErrorCode::kForbidden) return {};
  return noted;
}

std::vector<json::Object> ServiceReconciler::slices_of(const ServiceView& view,
                                                       std::string_view manager) const {
  std::vector<json::Object> slices;
  for (const store::Item* item : manager_.cache(kEndpointSlices).owned_by(view.uid)) {
    auto slice = store::decode(*item);
    if (!slice || api::is_deleting(*slice)) continue;
    for (const auto& [key, value] : api::labels_of(*slice))
      if (key == kManagedByLabel && value == manager) slices.push_back(std::move(*slice));
  }
  return slices;
}

// What is new comes before what is old goes: a Pod is rather listed twice than not at all.
Task<Result<>> ServiceReconciler::write_slices(store::Key service, SlicePlan plan) {
  std::vector<Task<Result<store::Item>>> writes;
  for (json::Object& slice : plan.create)
    writes.push_back(manager_.store().create(kEndpointSlices, service.ns, std::move(slice), {}));
  for (json::Object& slice : plan.update) {
    const store::Key key{service.ns, std::string(api::name_of(slice))};
    writes.push_back(manager_.store().update(kEndpointSlices, key, std::move(slice), {}));
  }
  Result<> outcome;
  for (const auto& written : co_await wait_all(manager_.loop(), std::move(writes)))
    if (auto noted = note(service, written, own_slices_); !noted && outcome) outcome = noted;
  if (!outcome) co_return outcome;
  for (const json::Object& slice : plan.remove) {
    const store::Key key{service.ns, std::string(api::name_of(slice))};
    auto removed = co_await manager_.store().remove(kEndpointSlices, key,
                                                    {.if_uid = std::string(api::uid_of(slice))});
    if (removed) {
      own_slices_.wrote(service, removed->item.version);
    } else if (removed.error().code != ErrorCode::kNotFound) {
      own_slices_.failed(service, removed.error());
      co_return std::unexpected(std::move(removed).error());
    }
  }
  co_return outcome;
}

Task<Result<>> ServiceReconciler::write_endpoints(store::Key service, json::Object endpoints) {
  const bool there = api::version_of(endpoints) != 0;
  auto written =
      there ? co_await manager_.store().update(kEndpoints, service, std::move(endpoints), {})
            : co_await manager_.store().create(kEndpoints, service.ns, std::move(endpoints), {});
  co_return note(service, written, own_endpoints_);
}

}  // namespace slipway::runtime
