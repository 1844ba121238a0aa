#include "rollout/shell/route_traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "rollout/routers/router.h"
#include "store/decode.h"

namespace slipway::rollout {

namespace {

using slipway::Task;

// Null when it is not there.
Task<Result<json::Value>> read(store::Store& store, api::Gvr kind, store::Key key) {
  auto item = co_await store.get(std::move(kind), std::move(key));
  if (!item && item.error().code == ErrorCode::kNotFound) co_return json::Value(nullptr);
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  co_return json::Value(std::move(*document));
}

Task<Result<json::Value>> read_model(store::Store& store, const Situation& seen,
                                     const RouterTarget& target) {
  if (target.finds_model && seen.divided_service) co_return *seen.divided_service;
  if (target.model.empty()) co_return json::Value(nullptr);
  const api::Gvr& kind = target.model_kind.resource.empty() ? target.kind : target.model_kind;
  co_return co_await read(store, kind, {target.ns, target.model});
}

Task<Result<>> route_one(store::Store& store, const Situation& seen, RouterTarget target,
                         const RouteTraffic& traffic) {
  auto now = co_await read(store, target.kind, {target.ns, target.name});
  if (!now) co_return std::unexpected(std::move(now).error());
  auto model = co_await read_model(store, seen, target);
  if (!model) co_return std::unexpected(std::move(model).error());
  const Routing routing{.rollout = seen.rollout,
                        .document = seen.document.get_object(),
                        .traffic = traffic,
                        .max_weight = max_weight_of(seen.rollout.spec)};
  auto wanted = route(target, routing, *now, *model);
  if (!wanted) co_return std::unexpected(std::move(wanted).error());
  if (json::same(*now, *wanted)) co_return Result<>();
  store::WriteOptions options{.manager = std::string(argo::kEventSource)};
  auto done = now->is_null()
                  ? co_await store.create(target.kind, target.ns, wanted->as_object(), options)
                  : co_await store.update(target.kind, {target.ns, target.name},
                                          wanted->as_object(), options);
  // A server that lacks the whole kind does not say which.
  if (!done && now->is_null() && done.error().code == ErrorCode::kNotFound)
    co_return fail(
        ErrorCode::kNotFound,
        fmt::format("{}.{} \"{}\" cannot be created: {}; is there a "
                    "CustomResourceDefinition of that kind?",
                    target.kind.resource, target.kind.group, target.name, done.error().message));
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return Result<>();
}

}  // namespace

Task<Result<>> route_traffic(store::Store& store, const Situation& seen, RouteTraffic traffic) {
  std::vector<RouterTarget> targets = router_targets(seen.rollout, seen.ns(), seen.routers);
  const auto is_rule = [](const RouterTarget& target) {
    return target.router == RouterKind::kIstioRule ||
           target.router == RouterKind::kTranslatedSubset;
  };
  if (traffic.weights_first)  // rules come after what has weights, else as they are
    std::ranges::rotate(targets, std::ranges::find_if_not(targets, is_rule));
  for (RouterTarget& target : targets)
    SLIPWAY_CO_TRY(co_await route_one(store, seen, std::move(target), traffic));
  co_return Result<>();
}

}  // namespace slipway::rollout
