#include "server/read.h"

#include <fmt/format.h>

#include "server/present.h"
#include "server/read_options.h"
#include "server/status.h"

namespace slipway::server {
namespace {

// The version a list promises. The store only knows the present, so a past one is gone and a future
// one has to wait.
Result<> check_version(const ReadOptions& options, const store::Page& page) {
  auto asked = options.version.value_or(0);
  if (asked == 0 || asked == page.version) return {};
  if (asked > page.version) return fail(too_new(asked, page.version));
  if (options.version_match == "Exact")
    return fail(ErrorCode::kExpired, fmt::format("The resourceVersion for the provided list is too "
                                                 "old: {} ({})",
                                                 asked, page.version));
  return {};
}

}  // namespace

Task<http::Response> get_object(const Services& services, Call call) {
  if (auto version = version_parameter(call); !version) co_return failure(version.error());
  auto item = co_await services.store.get(call.gvr(), call.key());
  if (!item) co_return failure(item.error());
  auto response = present_object(services, call, *item);
  co_return response ? std::move(*response) : failure(response.error());
}

Task<http::Response> list_objects(const Services& services, Call call) {
  auto options = read_options(call);
  if (!options) co_return failure(options.error());
  std::size_t most = call.accepted.form == Accepted::Form::kObject ? kMaxListItems : kMaxBuiltItems;
  std::size_t limit = options->limit == 0 ? most : std::min(options->limit, most);
  store::ListOptions query{.ns = options->ns,
                           .labels = options->labels,
                           .fields = options->fields,
                           .limit = limit,
                           .continue_token = options->continue_token};
  auto page = co_await services.store.list(call.gvr(), std::move(query));
  if (!page) co_return failure(page.error());
  if (auto checked = check_version(*options, *page); !checked) co_return failure(checked.error());
  auto response = co_await present_list(services, call, *page);
  co_return response ? std::move(*response) : failure(response.error());
}

}  // namespace slipway::server
