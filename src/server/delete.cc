#include "server/delete.h"

#include <fmt/format.h>

#include "async/wait_all.h"
#include "server/present.h"
#include "server/read_options.h"
#include "server/status.h"
#include "server/write.h"
#include "server/write_options.h"
#include "store/expired_list.h"

namespace slipway::server {
namespace {

bool answers_with_object(const api::Resource& resource) {
  if (!resource.native) return false;
  const auto& kind = resource.gvk.kind;
  return kind == "Namespace" || kind == "Pod" || kind == "Service" || kind == "ServiceAccount";
}

http::Response gone(const Call& call, const store::Item& item) {
  auto object = decode_item(item);
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

namespace {

// A collection on its way out: what is told of it is bounded, whatever its size.
class Collection {
 public:
  Collection(const Services& services, const Call& call, ReadOptions asked,
             store::DeleteOptions options)
      : services_(services),
        call_(call),
        asked_(std::move(asked)),
        options_(std::move(options)),
        start_(std::chrono::floor<std::chrono::seconds>(services.loop.clock().now())) {}

  // Page by page until nothing is left, or what was asked for is done.
  Task<Result<>> remove_all() {
    std::string token = asked_.continue_token;
    do {
      auto page = co_await next_page(token);
      if (!page) co_return std::unexpected(std::move(page).error());
      if (answer_.version == 0) answer_.version = page->version;
      std::erase_if(page->items, [this](const store::Item& item) { return is_new(item); });
      taken_ += page->items.size();
      token = page->continue_token;
      if (asked_.limit != 0) {
        answer_.continue_token = token;
        answer_.remaining = page->remaining;
      }
      SLIPWAY_CO_TRY(co_await remove(std::move(page->items)));
    } while (!token.empty() && taken_ != asked_.limit && !call_.request.gone.stop_requested());
    co_return Result<>();
  }

  Task<Result<http::Response>> answer() const {
    auto response = co_await present_list(services_, call_, answer_);
    if (response && untold_ > 0)
      add_warnings(*response, {fmt::format("{} objects were deleted; the answer lists the first {}",
                                           answer_.items.size() + untold_, answer_.items.size())});
    co_return response;
  }

 private:
  // The deletions themselves push the first page's version out of the history when there are many:
  // the list then goes on as it is, and what has come since is passed over.
  Task<Result<store::Page>> next_page(std::string token) {
    const std::size_t left = asked_.limit == 0 ? kDeletedPage : asked_.limit - taken_;
    store::ListOptions query{.ns = asked_.ns,
                             .labels = asked_.labels,
                             .fields = asked_.fields,
                             .limit = std::min(left, kDeletedPage),
                             .continue_token = std::move(token)};
    auto page = co_await services_.store.list(call_.gvr(), query);
    if (page || taken_ == 0) co_return page;
    query.continue_token = store::resume_token(page.error());
    if (query.continue_token.empty()) co_return page;
    co_return co_await services_.store.list(call_.gvr(), std::move(query));
  }

  bool is_new(const store::Item& item) const {
    if (item.version <= answer_.version) return false;
    auto object = decode_item(item);
    if (!object) return false;
    auto created = parse_time(json::string_at(*object, {"metadata", "creationTimestamp"}));
    return created && *created > start_;
  }

  // Side by side, so that many share one commit.
  Task<Result<>> remove(std::vector<store::Item> items) {
    for (std::size_t begin = 0; begin < items.size() && !call_.request.gone.stop_requested();
         begin += kDeletedTogether) {
      const std::size_t end = std::min(begin + kDeletedTogether, items.size());
      std::vector<Task<Result<store::Store::Deleted>>> batch;
      for (std::size_t i = begin; i < end; ++i)
        batch.push_back(services_.store.remove(call_.gvr(), items[i].key, options_));
      for (auto& one : co_await wait_all(services_.loop, std::move(batch))) {
        if (!one && one.error().code != ErrorCode::kNotFound)
          co_return std::unexpected(std::move(one).error());
      }
      for (std::size_t i = begin; i < end; ++i) tell(std::move(items[i]));
    }
    co_return Result<>();
  }

  // As they were before, which is what kube-apiserver tells.
  void tell(store::Item item) {
    told_bytes_ += item.bytes->size();
    if (answer_.items.size() < kMaxToldItems && told_bytes_ <= kMaxToldBytes) {
      answer_.items.push_back(std::move(item));
    } else {
      ++untold_;
    }
  }

  const Services& services_;
  const Call& call_;
  const ReadOptions asked_;
  const store::DeleteOptions options_;
  const Time start_;
  store::Page answer_ = {};
  std::size_t taken_ = 0;  // listed so far
  std::size_t told_bytes_ = 0;
  std::size_t untold_ = 0;
};

}  // namespace

Task<http::Response> delete_collection(const Services& services, Call call) {
  auto asked = read_options(call);
  if (!asked) co_return failure(asked.error());
  auto request = delete_options(services.registry, call);
  if (!request) co_return failure(request.error());
  Collection collection(services, call, std::move(*asked), std::move(request->options));
  if (auto removed = co_await collection.remove_all(); !removed) co_return failure(removed.error());
  auto response = co_await collection.answer();
  co_return response ? std::move(*response) : failure(response.error());
}

}  // namespace slipway::server
