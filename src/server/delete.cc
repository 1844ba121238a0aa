#include "server/delete.h"

#include "server/present.h"
#include "server/read_options.h"
#include "server/status.h"
#include "server/write_options.h"

namespace slipway::server {
namespace {

bool answers_with_object(const api::Resource& resource) {
  if (!resource.native) return false;
  const auto& kind = resource.gvk.kind;
  return kind == "Namespace" || kind == "Pod" || kind == "Service" || kind == "ServiceAccount";
}

http::Response gone(const Call& call, const store::Item& item) {
  auto object = decode(item);
  Subject subject{call.route.name, call.resource->gvk.group, call.resource->plural};
  return json_response(
      200, success_status(subject, object ? json::string_at(*object, {"metadata", "uid"}) : ""));
}

}  // namespace

Task<http::Response> delete_object(const Services& services, Call call) {
  auto request = delete_options(call);
  if (!request) co_return failure(request.error());
  auto deleted = co_await services.store.remove(call.gvr(), call.key(), request->options);
  if (!deleted) co_return failure(deleted.error());
  if (deleted->gone && !answers_with_object(*call.resource)) co_return gone(call, deleted->item);
  int status = !deleted->gone && request->asked_to_wait ? 202 : 200;
  auto response = present_object(services, call, deleted->item, status);
  co_return response ? std::move(*response) : failure(response.error());
}

Task<http::Response> delete_collection(const Services& services, Call call) {
  auto options = read_options(call);
  if (!options) co_return failure(options.error());
  auto request = delete_options(call);
  if (!request) co_return failure(request.error());
  store::Page deleted;
  std::string token = options->continue_token;
  do {
    auto page = co_await services.store.list(
        call.gvr(), {.ns = options->ns,
                     .labels = options->labels,
                     .fields = options->fields,
                     .limit = options->limit ? std::min(options->limit, kDeletePage) : kDeletePage,
                     .continue_token = token});
    if (!page) co_return failure(page.error());
    deleted.version = page->version;
    for (auto& item : page->items) {
      auto one = co_await services.store.remove(call.gvr(), item.key, request->options);
      if (!one && one.error().code != ErrorCode::kNotFound) co_return failure(one.error());
      if (one) deleted.items.push_back(std::move(one->item));
    }
    token = page->continue_token;
  } while (!token.empty() && options->limit == 0 && deleted.items.size() < kMaxListItems &&
           !call.request.gone.stop_requested());
  auto response = present_list(services, call, deleted);
  co_return response ? std::move(*response) : failure(response.error());
}

}  // namespace slipway::server
