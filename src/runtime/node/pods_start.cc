#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "base/file.h"
#include "base/log.h"
#include "runtime/node/pods.h"
#include "store/decode.h"

// How a Pod begins: scheduled, its references looked up, handed to the host; and what its probes
// lead to.
namespace slipway::runtime {

namespace {

using control::EventKind;
using control::Outcome;

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
const api::Gvr kSecrets{"", "v1", "secrets"};
const api::Gvr kServices{"", "v1", "services"};

Task<Result<>> read_all(store::Store& store, api::Gvr kind, std::string ns,
                        std::set<std::string> names, std::map<std::string, json::Value>& found) {
  for (const std::string& name : names) {
    auto item = co_await store.get(kind, {ns, name});
    if (!item && item.error().code == ErrorCode::kNotFound) continue;
    if (!item) co_return std::unexpected(std::move(item).error());
    auto object = store::decode(*item);
    if (!object) co_return std::unexpected(std::move(object).error());
    found[name] = json::Value(std::move(*object));
  }
  co_return Result<>();
}

bool runs_now(const HostedPod* hosted, std::string_view container) {
  if (!hosted || !hosted->state) return false;
  const auto runs = [container](const ContainerState& state) {
    return state.name == container && state.running();
  };
  return std::ranges::any_of(hosted->state->init_containers, runs) ||
         std::ranges::any_of(hosted->state->containers, runs);
}

}  // namespace

Task<Result<Outcome>> PodReconciler::schedule(Look look) {
  json::Object binding{
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata",
       json::Object{{"name", look.key.name}, {"namespace", look.key.ns}, {"uid", look.uid}}},
      {"target", json::Object{{"kind", "Node"}, {"name", options_.node.name}}}};
  auto bound = co_await manager_.store().update(kKind, look.key, std::move(binding),
                                                {.subresource = "binding"});
  if (!bound && bound.error().code == ErrorCode::kNotFound) co_return Outcome{};
  if (!bound) co_return std::unexpected(std::move(bound).error());
  recorder_.record(look.pod.get_object(), EventKind::kNormal, "Scheduled",
                   fmt::format("Successfully assigned {}/{} to {}", look.key.ns, look.key.name,
                               options_.node.name));
  co_return Outcome{};
}

Task<Result<Outcome>> PodReconciler::gate(Look look) {
  json::Value status = json::Object();
  if (const json::Value* before = json::at(look.pod, {"status"})) status = *before;
  json::Value& conditions = status.as_object()["conditions"];
  if (conditions.is_array() && !conditions.get_array().empty()) co_return Outcome{};
  conditions = json::Array{
      json::Object{{"type", "PodScheduled"},
                   {"status", "False"},
                   {"lastProbeTime", nullptr},
                   {"lastTransitionTime", format_time(manager_.loop().clock().now())},
                   {"reason", "SchedulingGated"},
                   {"message", "Scheduling is blocked due to non-empty scheduling gates"}}};
  SLIPWAY_CO_TRY(co_await write_status(look, std::move(status)));
  co_return Outcome{};
}

std::string PodReconciler::address_of(const Look& look) {
  const json::Value* shared = json::at(look.pod, {"spec", "hostNetwork"});
  if (shared && shared->is_bool() && shared->get_bool()) return options_.node.address;
  const std::string_view before = json::string_at(look.pod, {"status", "podIP"});
  if (!before.empty() && addresses_.hold(look.uid, before)) return std::string(before);
  return addresses_.take(look.uid);
}

Task<Result<PodSources>> PodReconciler::find_sources(const Look& look) {
  const PodReferences wanted = references_of(look.pod);
  PodSources found;
  store::Store& store = manager_.store();
  SLIPWAY_CO_TRY(
      co_await read_all(store, kConfigMaps, look.key.ns, wanted.config_maps, found.config_maps));
  SLIPWAY_CO_TRY(co_await read_all(store, kSecrets, look.key.ns, wanted.secrets, found.secrets));
  if (wanted.services)
    for (const store::Item* item : manager_.cache(kServices).list(look.key.ns))
      if (auto service = store::decode(*item))
        found.services.push_back(json::Value(std::move(*service)));
  co_return found;
}

Task<Result<Images>> PodReconciler::read_images() {
  if (options_.images_file.empty()) co_return Images();
  auto text = co_await blocking(manager_.loop(), pool_, [path = options_.images_file] {
    return file::read(path, kMaxImagesFile);
  });
  if (!text && text.error().code == ErrorCode::kNotFound) co_return Images();
  if (!text) co_return std::unexpected(std::move(text).error());
  auto images = Images::parse(*text);
  if (!images)
    co_return fail(images.error().code,
                   fmt::format("{}: {}", options_.images_file, images.error().text()));
  co_return std::move(*images);
}

Task<Result<Outcome>> PodReconciler::start(Look look) {
  if (const HostedPod* killed = host_.find(look.uid); killed && killed->state) {
    recorder_.record(look.pod.get_object(), EventKind::kWarning, "SandboxChanged",
                     "what looked after the Pod was killed; it is started again");
    co_return co_await hand_over(std::move(look), {.plan = killed->plan});
  }
  const std::string address = address_of(look);
  if (address.empty())
    co_return co_await refuse(std::move(look), {.reason = "FailedCreatePodSandBox",
                                                .message = "no address is left for the Pod"});
  auto order = co_await build(look, address);
  if (!order) co_return std::unexpected(std::move(order).error());
  if (!*order) co_return co_await refuse(std::move(look), order->error());
  co_return co_await hand_over(std::move(look), std::move(**order));
}

Task<Result<std::expected<PodOrder, Refusal>>> PodReconciler::build(const Look& look,
                                                                    std::string address) {
  auto sources = co_await find_sources(look);
  if (!sources) co_return std::unexpected(std::move(sources).error());
  auto images = co_await read_images();
  if (!images)
    co_return std::expected<PodOrder, Refusal>(
        std::unexpect, Refusal{.reason = "ImagePullBackOff", .message = images.error().text()});
  co_return build_order(look.pod, *sources, *images,
                        {.node = options_.node,
                         .pod_ip = std::move(address),
                         .folder = host_.folder(look.uid),
                         .base = options_.base,
                         .tuning = options_.tuning});
}

Task<Result<Outcome>> PodReconciler::replace_changed(const Look& look) {
  const HostedPod* hosted = host_.find(look.uid);
  const auto changed = changed_images(look.pod, *hosted);
  if (changed.empty()) co_return Outcome{};
  const Duration grace = std::chrono::seconds(hosted->plan.grace_seconds);
  auto order = co_await build(look, hosted->plan.pod_ip);
  if (!order) co_return std::unexpected(std::move(order).error());
  // It goes on as it is until there is something to run instead.
  if (!*order) {
    tell_refusal(look, order->error());
    co_return Outcome{.again = kRefusedAgain};
  }
  refused_.erase(look.uid);
  for (const std::string& name : changed) {
    ContainerPlan* container = find_container((**order).plan, name);
    if (!container) continue;
    const std::string message =
        fmt::format("Container {} definition changed, will be restarted", name);
    if (runs_now(host_.find(look.uid), name))
      recorder_.record(look.pod.get_object(), EventKind::kNormal, "Killing", message);
    auto replaced = co_await host_.replace(look.uid, std::move(*container), grace, message);
    // Whose keeper was killed just now: the next one runs what it is told.
    if (!replaced) co_return fail(ErrorCode::kConflict, replaced.error().message);
  }
  co_return Outcome{};
}

Task<Result<Outcome>> PodReconciler::hand_over(Look look, PodOrder order) {
  hosted_[look.key].insert(look.uid);
  auto started = co_await host_.start(std::move(order));
  if (!started) {
    recorder_.record(look.pod.get_object(), EventKind::kWarning, "FailedCreatePodSandBox",
                     started.error().text());
    co_return std::unexpected(std::move(started).error());
  }
  refused_.erase(look.uid);
  told_.try_emplace(look.uid);  // from here on everything is news
  co_return co_await report(std::move(look), {});
}

void PodReconciler::tell_refusal(const Look& look, const Refusal& refusal) {
  std::string& said = refused_[look.uid];
  if (said == refusal.message) return;
  const bool image = refusal.reason == "ImagePullBackOff";
  const bool config = refusal.reason == "CreateContainerConfigError";
  recorder_.record(look.pod.get_object(), EventKind::kWarning,
                   image || config ? "Failed" : refusal.reason,
                   config ? "Error: " + refusal.message : refusal.message);
  said = refusal.message;
}

Task<Result<Outcome>> PodReconciler::refuse(Look look, Refusal refusal) {
  hosted_[look.key].insert(look.uid);  // it has an address, and may go without another look
  tell_refusal(look, refusal);
  StatusInputs inputs = inputs_for(look);
  inputs.refusal = std::move(refusal);
  SLIPWAY_CO_TRY(co_await write_status(look, decide_status(inputs)));
  co_return Outcome{.again = kRefusedAgain};
}

void PodReconciler::probe_failed(const std::string& uid, const std::string& container,
                                 ProbeKind kind, const ProbeSpec& spec, const std::string& message,
                                 bool fatal) {
  const HostedPod* hosted = host_.find(uid);
  if (!hosted || gate_.stop().stop_requested()) return;
  const store::Item* item = manager_.cache(kKind).get({hosted->plan.ns, hosted->plan.name});
  auto pod = item ? store::decode(*item) : fail(ErrorCode::kNotFound, "");
  const std::string_view word = to_string(kind);
  if (pod && api::uid_of(*pod) == uid) {
    recorder_.record(*pod, EventKind::kWarning, "Unhealthy",
                     fmt::format("{} probe failed: {}", word, message));
    if (fatal)
      recorder_.record(*pod, EventKind::kNormal, "Killing",
                       fmt::format("Container {} failed {} probe, will be restarted", container,
                                   kind == ProbeKind::kStartup ? "startup" : "liveness"));
  }
  if (!fatal) return;
  const std::int64_t grace =
      spec.grace_seconds.value_or(static_cast<std::int64_t>(hosted->plan.grace_seconds));
  gate_.spawn(kill(uid, container, std::chrono::seconds(grace),
                   fmt::format("{} probe failed: {}", word, message)));
}

Task<Result<>> PodReconciler::mark_started(std::string uid) {
  const HostedPod* hosted = host_.find(uid);
  if (!hosted->alive) co_return Result<>();
  std::vector<std::pair<std::string, std::int32_t>> fresh;
  for (const ContainerPlan& container : hosted->plan.init_containers)
    for (const ContainerState& state : hosted->state->init_containers)
      if (container.startup_probe && state.name == container.name && state.running() &&
          !state.started && prober_.health(uid, state.name).started)
        fresh.emplace_back(state.name, state.restart_count);
  for (const auto& [name, run] : fresh) {
    auto marked = co_await host_.mark_started(uid, name, run);
    // Of a run that is over, or whose keeper was killed: the state tells, or is about to.
    if (!marked && marked.error().code != ErrorCode::kNotFound)
      co_return fail(ErrorCode::kConflict, marked.error().message);
  }
  co_return Result<>();
}

Task<> PodReconciler::kill(std::string uid, std::string container, Duration grace,
                           std::string message) {
  auto killed = co_await host_.kill_container(uid, container, grace, std::move(message));
  if (!killed && killed.error().code != ErrorCode::kNotFound)
    log::warning("pods", "{}: container {} could not be stopped: {}", uid, container,
                 killed.error().text());
}

}  // namespace slipway::runtime
