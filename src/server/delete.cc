#include "server/delete.h"

#include "async/wait_all.h"
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
  auto request = delete_options(services.registry, call);
  if (!request) co_return failure(request.error());
  auto deleted = co_await services.store.remove(call.gvr(), call.key(), request->options);
  if (!deleted) co_return failure(deleted.error());
  if (deleted->gone && !answers_with_object(*call.resource)) co_return gone(call, deleted->item);
  int status = !deleted->gone && request->asked_to_wait ? 202 : 200;
  auto response = present_object(services, call, deleted->item, status);
  co_return response ? std::move(*response) : failure(response.error());
}

// Items are listed once, so that no page can expire while their predecessors go, and deleted side
// by side, so that many share one commit.
Task<http::Response> delete_collection(const Services& services, Call call) {
  auto options = read_options(call);
  if (!options) co_return failure(options.error());
  auto request = delete_options(services.registry, call);
  if (!request) co_return failure(request.error());
  const std::size_t limit =
      options->limit ? std::min(options->limit, kMaxListItems) : kMaxListItems;
  auto page = co_await services.store.list(call.gvr(), {.ns = options->ns,
                                                        .labels = options->labels,
                                                        .fields = options->fields,
                                                        .limit = limit,
                                                        .continue_token = options->continue_token});
  if (!page) co_return failure(page.error());
  store::Page deleted;
  deleted.version = page->version;
  for (std::size_t begin = 0; begin < page->items.size() && !call.request.gone.stop_requested();
       begin += kDeletedTogether) {
    std::vector<Task<Result<store::Store::Deleted>>> batch;
    for (std::size_t i = begin; i < std::min(begin + kDeletedTogether, page->items.size()); ++i)
      batch.push_back(services.store.remove(call.gvr(), page->items[i].key, request->options));
    for (auto& one : co_await wait_all(services.loop, std::move(batch))) {
      if (!one && one.error().code != ErrorCode::kNotFound) co_return failure(one.error());
      if (one) deleted.items.push_back(std::move(one->item));
    }
  }
  auto response = present_list(services, call, deleted);
  co_return response ? std::move(*response) : failure(response.error());
}

}  // namespace slipway::server
