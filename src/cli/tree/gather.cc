#include "cli/tree/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "api/kinds/argo_names.h"
#include "http/message.h"

namespace slipway::cli {

namespace {

// About one Pod. A list is by name, so of more the newest might be left out; recorders write fewer.
constexpr std::size_t kMaxWarnings = 500;

Result<> fill(Result<std::vector<json::Value>> from, std::vector<json::Value>& into) {
  if (!from) return std::unexpected(std::move(from).error());
  into = std::move(*from);
  return {};
}

std::string warnings_about(const std::string& ns, std::string_view pod_uid) {
  const std::string selector = fmt::format("involvedObject.uid={},type=Warning", pod_uid);
  return fmt::format("/api/v1/namespaces/{}/events?fieldSelector={}&limit={}", ns,
                     http::percent_encode(selector), kMaxWarnings);
}

}  // namespace

Task<Result<std::vector<json::Value>>> list_items(Session& session, std::string target) {
  auto page = co_await session.send({.target = std::move(target)});
  if (!page) co_return std::unexpected(std::move(page).error());
  json::Value* found = json::at(*page, {"items"});
  if (found == nullptr || !found->is_array()) co_return std::vector<json::Value>{};
  co_return std::vector<json::Value>(found->get_array().begin(), found->get_array().end());
}

std::string list_of_one(const ServedKind& kind, const std::string& ns, const std::string& name) {
  return fmt::format("{}?fieldSelector={}", kind.path(ns),
                     http::percent_encode("metadata.name=" + name));
}

GroveLists grove_lists(const std::string& ns) {
  // Sets of Rollouts and Experiments, and their Pods, carry this label.
  const std::string labelled =
      fmt::format("?labelSelector={}", http::percent_encode(api::argo::kHashLabel));
  const std::string argo = fmt::format("/apis/argoproj.io/v1alpha1/namespaces/{}/", ns);
  return {.experiments = argo + "experiments",
          .runs = argo + "analysisruns",
          .replica_sets = fmt::format("/apis/apps/v1/namespaces/{}/replicasets{}", ns, labelled),
          .pods = fmt::format("/api/v1/namespaces/{}/pods{}", ns, labelled),
          .jobs = fmt::format("/apis/batch/v1/namespaces/{}/jobs", ns),
          .warnings = fmt::format("/api/v1/namespaces/{}/events?fieldSelector={}", ns,
                                  http::percent_encode("involvedObject.kind=Pod,type=Warning"))};
}

Task<Result<Grove>> gather_grove(Session& session, json::Value root) {
  const GroveLists lists = grove_lists(session.ns());
  Grove grove{.now = session.loop().clock().now()};
  SLIPWAY_CO_TRY(fill(co_await list_items(session, lists.experiments), grove.experiments));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, lists.runs), grove.runs));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, lists.replica_sets), grove.replica_sets));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, lists.pods), grove.pods));
  SLIPWAY_CO_TRY(fill(co_await list_items(session, lists.jobs), grove.jobs));
  const auto unexplained = unexplained_pods(root, grove);
  for (const json::Value* pod : unexplained | std::views::take(kMaxExplainedPods)) {
    const std::string_view uid = json::string_at(*pod, {"metadata", "uid"});
    auto found = co_await list_items(session, warnings_about(session.ns(), uid));
    if (!found) co_return std::unexpected(std::move(found).error());
    std::ranges::move(*found, std::back_inserter(grove.warnings));
  }
  co_return grove;
}

}  // namespace slipway::cli
