#include "runtime/node/pods.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "base/log.h"
#include "store/decode.h"

namespace slipway::runtime {

namespace {

using control::EventKind;
using control::Outcome;

constexpr Duration kOpenAgain = std::chrono::seconds(5);

// Replaces the status as a whole, if nobody has written since.
store::Patch status_patch(json::Value status, store::Version version) {
  json::Object seen{
      {"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", std::to_string(version)}};
  json::Object add{{"op", "add"}, {"path", "/status"}};
  add["value"] = std::move(status);
  return {.type = store::PatchType::kJson, .body = json::Array{std::move(seen), std::move(add)}};
}

const json::Value& status_of(const json::Value& pod) {
  static const json::Value kNone = nullptr;
  const json::Value* status = json::at(pod, {"status"});
  return status ? *status : kNone;
}

}  // namespace

PodReconciler::PodReconciler(control::Manager& manager, control::Recorder& recorder, PodHost& host,
                             ProbeClient& probes, Pool& pool, PodNodeOptions options)
    : manager_(manager),
      recorder_(recorder),
      host_(host),
      pool_(pool),
      options_(std::move(options)),
      prober_(manager.loop(), probes,
              {.changed = [this](const std::string& uid) { changed(uid); },
               .failed =
                   [this](const std::string& uid, const std::string& container, ProbeKind kind,
                          const ProbeSpec& spec, const std::string& message, bool fatal) {
                     probe_failed(uid, container, kind, spec, message, fatal);
                   }}),
      opened_(manager.loop()),
      gate_(manager.loop()) {}

control::ControllerOptions PodReconciler::options() {
  return {.name = "pod",
          .kind = kKind,
          .workers = kWorkers,
          .needs = {{"", "v1", "services"}},
          .subscribe = [this](control::BringUp bring_up) { bring_up_ = std::move(bring_up); }};
}

Task<> PodReconciler::open(std::stop_token stop) {
  for (;;) {
    auto opened = co_await host_.open([this](const std::string& uid) { changed(uid); });
    if (opened) break;
    log::error("pods", "cannot look after Pods: {}", opened.error().text());
    if (!co_await sleep_for(manager_.loop(), kOpenAgain, stop)) break;
  }
  for (const std::string& uid : host_.uids()) {
    const PodPlan& plan = host_.find(uid)->plan;
    hosted_[{plan.ns, plan.name}].insert(uid);
    addresses_.hold(uid, plan.pod_ip);
  }
  auto page = co_await manager_.store().list(kKind, {});
  if (page)
    for (const store::Item& item : page->items)
      if (auto pod = store::decode(item))
        addresses_.hold(std::string(api::uid_of(*pod)),
                        json::string_at(json::Value(*pod), {"status", "podIP"}));
  open_ = true;
  opened_.notify_all();
  for (const auto& [key, uids] : hosted_) bring_up_(key);
}

Task<bool> PodReconciler::wait_open() {
  while (!open_)
    if (co_await opened_.wait(gate_.stop()) == Signal::Wake::kStopped) co_return false;
  co_return true;
}

Task<Result<Outcome>> PodReconciler::reconcile(store::Key key) {
  if (!co_await wait_open()) co_return Outcome{};
  auto item = co_await manager_.store().get(kKind, key);
  if (!item && item.error().code == ErrorCode::kNotFound)
    co_return co_await retire(std::move(key), "");
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  Look look{.key = key, .version = item->version, .pod = json::Value(std::move(*document))};
  look.uid = api::uid_of(look.pod.get_object());
  if (const auto known = hosted_.find(key);
      known != hosted_.end() && (known->second.size() > 1 || !known->second.contains(look.uid)))
    if (auto retired = co_await retire(key, look.uid); !retired) co_return retired;
  const PodStep step =
      decide_pod(look.pod, host_.find(look.uid), options_.node, manager_.loop().clock().now());
  auto done = co_await act(std::move(look), step);
  if (done && step.again) done->again = std::min(done->again.value_or(*step.again), *step.again);
  co_return done;
}

Task<Result<Outcome>> PodReconciler::act(Look look, PodStep step) {
  using What = PodStep::What;
  switch (step.what) {
    case What::kNothing:
      co_return Outcome{};
    case What::kGated:
      co_return co_await gate(std::move(look));
    case What::kSchedule:
      co_return co_await schedule(std::move(look));
    case What::kStart:
      co_return co_await start(std::move(look));
    case What::kReport:
      co_return co_await report(std::move(look), step);
    case What::kStop:
      co_return co_await end(std::move(look), step);
    case What::kRemove:
      co_return co_await remove(std::move(look));
  }
  co_return Outcome{};
}

Task<Result<Outcome>> PodReconciler::report(Look look, PodStep step) {
  const HostedPod* hosted = host_.find(look.uid);
  const bool began = hosted && hosted->state;
  if (!began && !step.past_deadline) co_return Outcome{};
  if (began) {
    tell(look, *hosted);
    prober_.update(look.pod, *hosted);
    SLIPWAY_CO_TRY(co_await mark_started(look.uid));
  }
  Outcome outcome;
  if (began && step.what == PodStep::What::kReport) {
    auto replaced = co_await replace_changed(look);
    if (!replaced) co_return replaced;
    outcome = *replaced;
  }
  StatusInputs inputs = inputs_for(look);
  inputs.past_deadline = step.past_deadline;
  SLIPWAY_CO_TRY(co_await write_status(look, decide_status(inputs)));
  co_return outcome;
}

// Containers that are told to stop go on reporting how they are until they have ended.
Task<Result<Outcome>> PodReconciler::end(Look look, PodStep step) {
  const HostedPod* hosted = host_.find(look.uid);
  const bool asked = hosted && hosted->state && hosted->state->stopping;
  if (step.past_deadline && !asked)
    recorder_.record(look.pod.get_object(), EventKind::kNormal, "DeadlineExceeded",
                     "Pod was active on the node longer than the specified deadline");
  if (hosted && !asked)
    for (const ContainerPlan& container : hosted->plan.containers)
      recorder_.record(look.pod.get_object(), EventKind::kNormal, "Killing",
                       "Stopping container " + container.name);
  if (hosted) SLIPWAY_CO_TRY(co_await host_.stop(look.uid, step.grace));
  co_return co_await report(std::move(look), step);
}

// With finalizers the object stays, and so do the Pod's logs. Who has put them there may wait for
// the Pod to be over, so that is said even of one that never began.
Task<Result<Outcome>> PodReconciler::remove(Look look) {
  const HostedPod* hosted = host_.find(look.uid);
  if ((hosted && hosted->state) || !api::finalizers_of(look.pod.get_object()).empty()) {
    prober_.drop(look.uid);
    StatusInputs inputs = inputs_for(look);
    inputs.removed = true;
    SLIPWAY_CO_TRY(co_await write_status(look, decide_status(inputs)));
  }
  auto removed =
      co_await manager_.store().remove(kKind, look.key, {.if_uid = look.uid, .grace_seconds = 0});
  if (!removed && removed.error().code != ErrorCode::kNotFound)
    co_return std::unexpected(std::move(removed).error());
  if (!removed || removed->gone) SLIPWAY_CO_TRY(co_await forget(look.key, look.uid));
  co_return Outcome{};
}

Task<Result<Outcome>> PodReconciler::retire(store::Key key, std::string uid) {
  const auto known = hosted_.find(key);
  if (known == hosted_.end()) co_return Outcome{};
  const std::set<std::string> uids = known->second;
  for (const std::string& other : uids) {
    if (other == uid) continue;
    const HostedPod* hosted = host_.find(other);
    if (!hosted || !hosted->alive || (hosted->state && hosted->state->ended)) {
      SLIPWAY_CO_TRY(co_await forget(key, other));
      continue;
    }
    SLIPWAY_CO_TRY(co_await host_.stop(other, Duration::zero()));
  }
  co_return Outcome{};
}

Task<Result<>> PodReconciler::forget(store::Key key, std::string uid) {
  prober_.drop(uid);
  if (host_.find(uid)) SLIPWAY_CO_TRY(co_await host_.forget(uid));
  if (const auto known = hosted_.find(key); known != hosted_.end()) {
    known->second.erase(uid);
    if (known->second.empty()) hosted_.erase(known);
  }
  told_.erase(uid);
  refused_.erase(uid);
  addresses_.release(uid);
  co_return Result<>();
}

Task<Result<>> PodReconciler::write_status(const Look& look, json::Value status) {
  if (json::same(status, status_of(look.pod))) co_return Result<>();
  auto written = co_await manager_.store().patch(
      kKind, look.key, status_patch(std::move(status), look.version), {.subresource = "status"});
  // Gone meanwhile: the watch brings it up.
  if (!written && written.error().code != ErrorCode::kNotFound)
    co_return std::unexpected(std::move(written).error());
  co_return Result<>();
}

StatusInputs PodReconciler::inputs_for(const Look& look) const {
  const HostedPod* hosted = host_.find(look.uid);
  return {.pod = look.pod,
          .hosted = hosted,
          .health = [this,
                     uid = look.uid](const std::string& name) { return prober_.health(uid, name); },
          .pod_ip = hosted ? hosted->plan.pod_ip : std::string(),
          .node = options_.node,
          .now = manager_.loop().clock().now()};
}

void PodReconciler::tell(const Look& look, const HostedPod& hosted) {
  // What was running when this program began was told by the one before.
  const auto [known, fresh] = told_.try_emplace(look.uid, *hosted.state);
  if (fresh) return;
  for (const PodHappening& one : happenings(hosted.plan, known->second, *hosted.state))
    recorder_.record(look.pod.get_object(), one.warning ? EventKind::kWarning : EventKind::kNormal,
                     one.reason, one.message);
  known->second = *hosted.state;
}

void PodReconciler::changed(const std::string& uid) {
  const HostedPod* hosted = host_.find(uid);
  if (hosted && bring_up_) bring_up_({hosted->plan.ns, hosted->plan.name});
}

Task<> PodReconciler::stop() {
  gate_.request_stop();
  prober_.request_stop();
  co_await host_.close();  // which ends the commands of probes
  co_await prober_.stop();
  co_await gate_.close();
}

}  // namespace slipway::runtime
