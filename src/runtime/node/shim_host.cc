#include "runtime/node/shim_host.h"

#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/log.h"

namespace slipway::runtime {

namespace {

// What an earlier life of the program left behind. Blocking.
struct Left {
  std::vector<FoundShim> shims = {};
  int strays = 0;
};
Result<Left> find_left(const std::string& pods_folder) {
  SLIPWAY_TRY(file::make_folder(pods_folder, 0700));
  auto shims = find_shims(pods_folder);
  if (!shims) return std::unexpected(shims.error());
  Left left{.shims = std::move(*shims)};
  std::set<std::string> alive;
  for (const FoundShim& found : left.shims)
    if (found.alive) alive.insert(found.uid);
  left.strays = sweep_strays(pods_folder, left.shims, alive);
  for (const FoundShim& found : left.shims) {
    if (found.plan) continue;
    std::error_code ignored;  // a folder that was never complete: it is in nobody's way
    std::filesystem::remove_all(found.folder, ignored);
  }
  return left;
}

Error no_such_pod(const std::string& uid) {
  return {.code = ErrorCode::kNotFound, .message = "no Pod with uid " + uid + " is here"};
}

}  // namespace

ShimHost::ShimHost(Loop& loop, Pool& pool, std::string pods_folder, ShimProgram program)
    : loop_(loop),
      pool_(pool),
      pods_folder_(std::move(pods_folder)),
      program_(std::move(program)) {}

ShimHost::~ShimHost() = default;

ShimHost::Pod& ShimHost::add(const std::string& uid) {
  auto& pod = pods_[uid];
  if (!pod) pod = std::make_unique<Pod>();
  if (!pod->client) pod->client = std::make_unique<ShimClient>(loop_, pool_, folder(uid), program_);
  return *pod;
}

void ShimHost::watch(const std::string& uid, Pod& pod) {
  pod.client->watch([this, uid](const PodState& state, bool alive) {
    const auto found = pods_.find(uid);
    if (found == pods_.end()) return;
    found->second->hosted.state = state;
    found->second->hosted.alive = alive;
    if (changed_) changed_(uid);
  });
}

Task<Result<>> ShimHost::open(Changed changed) {
  auto left =
      co_await blocking(loop_, pool_, [folder = pods_folder_] { return find_left(folder); });
  if (!left) co_return std::unexpected(std::move(left).error());
  if (left->strays > 0)
    log::warning("pods", "{} processes of Pods nobody looked after were ended", left->strays);
  changed_ = std::move(changed);
  for (FoundShim& found : left->shims) {
    if (!found.plan) continue;
    Pod& pod = add(found.uid);
    pod.hosted = {.plan = std::move(*found.plan), .state = std::move(found.state)};
    pod.hosted.alive = found.alive;
    if (found.alive) watch(found.uid, pod);
  }
  co_return Result<>();
}

const HostedPod* ShimHost::find(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second->hosted;
}

std::vector<std::string> ShimHost::uids() const {
  std::vector<std::string> uids;
  for (const auto& [uid, pod] : pods_) uids.push_back(uid);
  return uids;
}

ShimClient* ShimHost::client_of(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second->client.get();
}

Task<Result<>> ShimHost::start(PodOrder order) {
  const std::string uid = order.plan.uid;
  const HostedPod* known = find(uid);
  if (known && (known->alive || (known->state && known->state->ended))) co_return Result<>();
  // One that has run before goes on with its own plan and folder.
  if (!known || !known->state) {
    const PodPlan plan = order.plan;
    auto written = co_await blocking(
        loop_, pool_, [folder = folder(uid), order = std::move(order)]() -> Result<> {
          SLIPWAY_TRY(file::make_folder(folder, 0700));
          SLIPWAY_TRY(write_volumes(folder, order));
          return write_plan(folder, order.plan);
        });
    if (!written) co_return std::unexpected(std::move(written).error());
    add(uid).hosted.plan = plan;
  }
  Pod& pod = add(uid);
  auto started = co_await pod.client->start();
  if (!started) co_return std::unexpected(std::move(started).error());
  pod.hosted.alive = true;
  watch(uid, pod);
  co_return Result<>();
}

Task<Result<>> ShimHost::stop(std::string uid, Duration grace) {
  const HostedPod* pod = find(uid);
  ShimClient* client = client_of(uid);
  if (!pod || !pod->alive || !client || (pod->state && pod->state->ended)) co_return Result<>();
  auto stopped = co_await client->stop(grace);
  if (stopped || !find(uid)) co_return stopped;
  // Gone just now: the watch tells, or is about to.
  if (!find(uid)->alive) co_return Result<>();
  if (stopped.error().code == ErrorCode::kUnavailable)
    co_return fail(ErrorCode::kConflict, stopped.error().message);
  co_return stopped;
}

Task<Result<>> ShimHost::kill_container(std::string uid, std::string container, Duration grace,
                                        std::string message) {
  ShimClient* client = client_of(uid);
  if (!client) co_return fail(no_such_pod(uid));
  co_return co_await client->kill_container(std::move(container), grace, std::move(message));
}

Task<Result<>> ShimHost::replace(std::string uid, ContainerPlan container, Duration grace,
                                 std::string message) {
  const HostedPod* pod = find(uid);
  if (!pod) co_return fail(no_such_pod(uid));
  const std::string name = container.name;
  PodPlan plan = pod->plan;
  ContainerPlan* known = find_container(plan, name);
  if (!known) co_return fail(ErrorCode::kNotFound, "no container " + name + " is in Pod " + uid);
  *known = std::move(container);
  // Before it is told: the shim reads it, as the next one would.
  SLIPWAY_CO_TRY(co_await blocking(
      loop_, pool_, [folder = folder(uid), plan]() { return write_plan(folder, plan); }));
  ShimClient* client = client_of(uid);
  if (!client) co_return fail(no_such_pod(uid));
  SLIPWAY_CO_TRY(co_await client->replace(name, grace, std::move(message)));
  // Not before it is known to have been heard: what waits to begin does not say its image.
  if (const auto found = pods_.find(uid); found != pods_.end())
    found->second->hosted.plan = std::move(plan);
  co_return Result<>();
}

Task<Result<>> ShimHost::mark_started(std::string uid, std::string container, std::int32_t run) {
  ShimClient* client = client_of(uid);
  if (!client) co_return fail(no_such_pod(uid));
  co_return co_await client->mark_started(std::move(container), run);
}

Task<Result<ExecAnswer>> ShimHost::exec(std::string uid, std::string container,
                                        std::vector<std::string> argv, Duration timeout) {
  ShimClient* client = client_of(uid);
  if (!client) co_return fail(no_such_pod(uid));
  co_return co_await client->exec(std::move(container), std::move(argv), timeout);
}

Task<Result<>> ShimHost::forget(std::string uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) co_return Result<>();
  const auto client = std::move(found->second->client);
  if (client) co_await client->close();
  auto removed = co_await blocking(loop_, pool_,
                                   [folder = folder(uid)] { return file::remove_folder(folder); });
  if (!removed) log::warning("pods", "{}", removed.error().text());
  pods_.erase(uid);
  co_return Result<>();
}

Task<> ShimHost::close() {
  changed_ = nullptr;
  for (auto& [uid, pod] : pods_)
    if (pod->client) co_await pod->client->close();
}

}  // namespace slipway::runtime
