#include "control/manager.h"

#include "base/log.h"

namespace slipway::control {

struct Manager::Controller {
  Controller(Loop& loop, ControllerOptions with, Reconciler& by)
      : options(std::move(with)),
        reconciler(by),
        queue(loop, options.backoff),
        places(loop, options.workers) {}

  ControllerOptions options;
  Reconciler& reconciler;
  Queue<store::Key> queue;
  Limit places;  // a worker is made for a key and ends with it: idle ones cost nothing
};

namespace {

// Looks again at what controls an object, as it was or as it is, if that is of our kind.
void add_controllers(Queue<store::Key>& queue, const api::Resource& kind, std::string_view prefix,
                     const Cache::Entry* before, const Cache::Entry* after) {
  if (before && after && before->controller == after->controller) before = nullptr;
  for (const auto* entry : {before, after})
    if (entry && entry->controller.starts_with(prefix))
      queue.add({kind.namespaced ? entry->key.ns : "", entry->controller.substr(prefix.size())});
}

}  // namespace

Manager::Manager(Loop& loop, store::Store& store, api::Registry& registry)
    : loop_(loop), store_(store), registry_(registry), gate_(loop) {}

Manager::~Manager() = default;

Cache& Manager::cache(const api::Gvr& kind) {
  auto& cache = caches_[kind];
  if (!cache) {
    cache = std::make_unique<Cache>(loop_, store_, kind);
    if (phase_ == Phase::kRunning) cache->start();
  }
  return *cache;
}

void Manager::add(ControllerOptions options, Reconciler& reconciler) {
  SLIPWAY_ASSERT(phase_ == Phase::kBuilt);
  const auto resource = registry_.find(options.kind);
  SLIPWAY_ASSERT(resource);
  controllers_.push_back(std::make_unique<Controller>(loop_, std::move(options), reconciler));
  Controller& made = *controllers_.back();
  cache(made.options.kind).on_change([&made](const store::Item* before, const store::Item* after) {
    made.queue.add((after ? after : before)->key);
  });
  for (const auto& owned : made.options.owns)
    cache(owned).on_change([&made, resource, prefix = Cache::controller_prefix(resource->gvk)](
                               const Cache::Entry* before, const Cache::Entry* after) {
      add_controllers(made.queue, *resource, prefix, before, after);
    });
  for (const auto& needed : made.options.needs) cache(needed);
  if (made.options.subscribe)
    made.options.subscribe([&made](const store::Key& key) { made.queue.add(key); });
}

void Manager::add_job(std::function<Task<>(std::stop_token)> job) {
  jobs_.push_back(std::move(job));
}

void Manager::start() {
  SLIPWAY_ASSERT(phase_ == Phase::kBuilt);
  phase_ = Phase::kRunning;
  for (auto& [kind, cache] : caches_) cache->start();
  for (auto& controller : controllers_) gate_.spawn(hand_out(*controller));
  for (auto& job : jobs_) gate_.spawn(job(gate_.stop()));
}

Task<> Manager::stop() {
  phase_ = Phase::kStopped;
  gate_.request_stop();
  co_await gate_.close();
  for (auto& [kind, cache] : caches_) co_await cache->stop();
}

Task<> Manager::hand_out(Controller& controller) {
  co_await cache(controller.options.kind).wait_synced(gate_.stop());
  for (const auto& owned : controller.options.owns) co_await cache(owned).wait_synced(gate_.stop());
  for (const auto& other : controller.options.needs)
    co_await cache(other).wait_synced(gate_.stop());
  while (auto place = co_await controller.places.enter(gate_.stop())) {
    auto key = co_await controller.queue.take(gate_.stop());
    if (!key) co_return;
    gate_.spawn(work(controller, std::move(*key), std::move(*place)));
  }
}

Task<> Manager::work(Controller& controller, store::Key key, Limit::Permit) {
  // A store that never suspends must not keep the loop from the caches and from everybody else.
  co_await next_turn(loop_);
  auto outcome = co_await controller.reconciler.reconcile(key);
  if (outcome) {
    controller.queue.done(key);
    if (outcome->again) controller.queue.add_after(key, *outcome->again);
    co_return;
  }
  // A conflict is the everyday case of somebody else writing first: the watch brings the news.
  if (outcome.error().code != ErrorCode::kConflict && outcome.error().code != ErrorCode::kCancelled)
    log::warning(controller.options.name, "{}/{}: {}", key.ns, key.name, outcome.error().text());
  controller.queue.failed(key);
}

std::vector<Manager::Depth> Manager::depths() const {
  std::vector<Depth> depths;
  for (const auto& controller : controllers_)
    depths.push_back({controller->options.name, controller->queue.size()});
  return depths;
}

}  // namespace slipway::control
