#include "server/pod_actions.h"

#include <fmt/format.h>

#include <cstdlib>

#include "server/body.h"
#include "server/status.h"
#include "server/write_options.h"

namespace slipway::server {
namespace {

Result<json::Value> read_action(const Services& services, const Call& call, const api::Gvk& gvk) {
  auto body = read_body(call.request, {.registry = services.registry, .expected = gvk});
  if (!body) return std::unexpected(body.error());
  if (!body->value.is_object())
    return fail(ErrorCode::kBadRequest, fmt::format("the body is no object; send a {}", gvk.kind));
  const std::string_view kind = json::string_at(body->value, {"kind"});
  if (!kind.empty() && kind != gvk.kind)
    return fail(ErrorCode::kBadRequest,
                fmt::format("the body is of kind \"{}\"; send a {}", kind, gvk.kind));
  const std::string_view name = json::string_at(body->value, {"metadata", "name"});
  if (!name.empty() && name != call.route.name)
    return fail(ErrorCode::kBadRequest,
                fmt::format("name in URL does not match name in {} object", gvk.kind));
  return std::move(body->value);
}

Result<store::DeleteOptions> deletion(const json::Value& eviction) {
  store::DeleteOptions options;
  const json::Value* given = json::at(eviction, {"deleteOptions"});
  if (!given || given->is_null()) return options;
  if (!given->is_object()) return fail(ErrorCode::kBadRequest, "deleteOptions is no object");
  const json::Object& object = given->get_object();
  SLIPWAY_TRY(read_preconditions(object, options));
  SLIPWAY_TRY(read_grace(object, options));
  const json::Value* dry_run = object.if_contains("dryRun");
  options.dry_run = dry_run && dry_run->is_array() && !dry_run->get_array().empty();
  return options;
}

http::Response created() {
  return json_response(201, json::write(json::Object{{"kind", "Status"},
                                                     {"apiVersion", "v1"},
                                                     {"metadata", json::Object()},
                                                     {"status", "Success"},
                                                     {"code", 201}}) +
                                "\n");
}

}  // namespace

Task<http::Response> evict_pod(const Services& services, Call call) {
  auto eviction = read_action(services, call, {"policy", "v1", "Eviction"});
  if (!eviction) co_return failure(eviction.error());
  auto asked = write_options(call, "CreateOptions", false);
  if (!asked) co_return failure(asked.error());
  auto options = deletion(*eviction);
  if (!options) co_return failure(options.error());
  options->dry_run = options->dry_run || asked->dry_run;
  auto removed = co_await services.store.remove(call.gvr(), call.key(), std::move(*options));
  if (!removed) co_return failure(removed.error());
  co_return created();
}

Task<http::Response> bind_pod(const Services& services, Call call) {
  auto binding = read_action(services, call, {"", "v1", "Binding"});
  if (!binding) co_return failure(binding.error());
  auto asked = write_options(call, "CreateOptions", false);
  if (!asked) co_return failure(asked.error());
  auto bound =
      co_await services.store.update(call.gvr(), call.key(), std::move(binding->as_object()),
                                     {.dry_run = asked->dry_run, .subresource = "binding"});
  if (!bound) co_return failure(bound.error());
  co_return created();
}

}  // namespace slipway::server
