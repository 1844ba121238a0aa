#include "cli/tree/gather.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "cli/tree/marks.h"
#include "http/message.h"

namespace slipway::cli {

namespace {

// Warnings about Pods; those that are read are the newest a server keeps first.
constexpr std::size_t kMaxWarnings = 500;

Result<> fill(Result<std::vector<json::Value>> from, std::vector<json::Value>& into) {
  if (!from) return std::unexpected(std::move(from).error());
  into = std::move(*from);
  return {};
}

}  // namespace

Task<Result<std::vector<json::Value>>> list_items(Session& session, std::string target) {
  auto page = co_await session.send({.target = std::move(target)});
  if (!page) co_return std::unexpected(std::move(page).error());
  json::Value* found = json::at(*page, {"items"});
  if (found == nullptr || !found->is_array()) co_return std::vector<json::Value>{};
  co_return std::vector<json::Value>(found->get_array().begin(), found->get_array().end());
}

Task<Result<Grove>> gather_grove(Session& session) {
  const std::string ns = session.ns();
  // Sets of Rollouts and Experiments, and their Pods, carry this label.
  const std::string labelled =
      fmt::format("?labelSelector={}", http::percent_encode(api::argo::kHashLabel));
  const std::string argo = fmt::format("/apis/argoproj.io/v1alpha1/namespaces/{}/", ns);
  Grove grove{.now = session.loop().clock().now()};
  SLIPWAY_CO_TRY(fill(co_await list_items(session, argo + "experiments"), grove.experiments));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, argo + "analysisruns"), grove.runs));
  const std::string sets = fmt::format("/apis/apps/v1/namespaces/{}/replicasets{}", ns, labelled);
  SLIPWAY_CO_TRY(fill(co_await list_items(session, sets), grove.replica_sets));
  const std::string pods = fmt::format("/api/v1/namespaces/{}/pods{}", ns, labelled);
  SLIPWAY_CO_TRY(fill(co_await list_items(session, pods), grove.pods));
  const std::string jobs = fmt::format("/apis/batch/v1/namespaces/{}/jobs", ns);
  SLIPWAY_CO_TRY(fill(co_await list_items(session, jobs), grove.jobs));
  if (std::ranges::all_of(grove.pods, is_well)) co_return grove;
  const std::string warnings =
      fmt::format("/api/v1/namespaces/{}/events?limit={}&fieldSelector={}", ns, kMaxWarnings,
                  http::percent_encode("involvedObject.kind=Pod,type=Warning"));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, warnings), grove.warnings));
  co_return grove;
}

}  // namespace slipway::cli
