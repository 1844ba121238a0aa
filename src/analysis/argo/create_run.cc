#include "analysis/argo/create_run.h"

#include <fmt/format.h>

#include "analysis/controller.h"
#include "analysis/phase.h"
#include "api/kinds/argo_names.h"
#include "api/schema/codec.h"
#include "store/decode.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

const api::Gvr kTemplates{"argoproj.io", "v1alpha1", "analysistemplates"};
const api::Gvr kClusterTemplates{"argoproj.io", "v1alpha1", "clusteranalysistemplates"};

json::Object texts(const std::map<std::string, std::string>& map) {
  json::Object object;
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

bool is_nothing(const json::Value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty());
}

bool same_member(const json::Value& a, const json::Value& b, std::string_view member) {
  static const json::Value kNone = nullptr;
  const json::Value* in_a = json::at(a, {"spec", member});
  const json::Value* in_b = json::at(b, {"spec", member});
  const json::Value& left = in_a != nullptr ? *in_a : kNone;
  const json::Value& right = in_b != nullptr ? *in_b : kNone;
  return (is_nothing(left) && is_nothing(right)) || json::same(left, right);
}

bool same_question(const json::Value& a, const json::Value& b) {
  for (const std::string_view member : {"metrics", "dryRun", "measurementRetention", "args"})
    if (!same_member(a, b, member)) return false;
  return true;
}

bool is_told_to_end(const json::Value& run) {
  const json::Value* terminate = json::at(run, {"spec", "terminate"});
  return terminate != nullptr && terminate->is_bool() && terminate->get_bool();
}

}  // namespace

json::Object run_object(const WantedRun& wanted) {
  json::Object metadata{{"name", wanted.name}, {"namespace", wanted.ns}};
  json::Object annotations = texts(wanted.annotations);
  if (!wanted.attempt.empty()) annotations[kAttempt] = wanted.attempt;
  if (!wanted.labels.empty()) metadata["labels"] = texts(wanted.labels);
  if (!annotations.empty()) metadata["annotations"] = std::move(annotations);
  json::Object run{{"apiVersion", kApiVersion},
                   {"kind", "AnalysisRun"},
                   {"metadata", std::move(metadata)},
                   {"spec", api::encode(wanted.spec)}};
  api::set_owners(run, {wanted.owner});
  return run;
}

std::string run_name(std::string_view name, int collisions) {
  return collisions == 0 ? std::string(name) : fmt::format("{}.{}", name, collisions);
}

bool is_wanted_run(const json::Object& existing, const json::Object& wanted) {
  const auto owner = api::controller_of(existing), wanting = api::controller_of(wanted);
  if (!owner || !wanting || owner->uid != wanting->uid || api::is_deleting(existing)) return false;
  const json::Value there(existing), asked(wanted);
  if (is_told_to_end(there)) return false;
  // Of the same attempt it is what we made, even if its template was edited since.
  const std::string_view attempt = api::annotation_of(wanted, kAttempt);
  if (!attempt.empty() && api::annotation_of(existing, kAttempt) == attempt) return true;
  return same_question(there, asked) && !is_completed(json::string_at(there, {"status", "phase"}));
}

slipway::Task<Result<MadeRun>> create_run(store::Store& store, json::Object wanted) {
  const std::string name(api::name_of(wanted)), ns(api::namespace_of(wanted));
  for (int collisions = 0; collisions < kMaxRunsOfAName; ++collisions) {
    const std::string tried = run_name(name, collisions);
    json::Object run = wanted;
    api::metadata_of(run)["name"] = tried;
    auto made = co_await store.create(AnalysisRunReconciler::kKind, ns, std::move(run), {});
    if (made) co_return MadeRun{.name = tried};
    if (made.error().code != ErrorCode::kAlreadyExists)
      co_return std::unexpected(std::move(made).error());
    auto there = co_await store.get(AnalysisRunReconciler::kKind, {ns, tried});
    if (!there && there.error().code == ErrorCode::kNotFound) continue;  // gone again
    if (!there) co_return std::unexpected(std::move(there).error());
    auto existing = store::decode(*there);
    if (!existing) co_return std::unexpected(std::move(existing).error());
    if (is_wanted_run(*existing, wanted)) co_return MadeRun{.name = tried, .fresh = false};
  }
  co_return fail(
      ErrorCode::kInvalid,
      fmt::format("there are {} runs named \"{}\" already; delete some", kMaxRunsOfAName, name));
}

slipway::Task<Result<AnalysisTemplateSpec>> load_template(store::Store& store, std::string ns,
                                                          AnalysisTemplateRef reference) {
  const bool of_cluster = reference.cluster_scope.value_or(false);
  auto item = co_await store.get(of_cluster ? kClusterTemplates : kTemplates,
                                 {of_cluster ? "" : ns, reference.template_name});
  if (!item && item.error().code == ErrorCode::kNotFound) co_return template_not_found(reference);
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  auto found = api::decode<AnalysisTemplate>(json::Value(std::move(*document)));
  if (!found) co_return std::unexpected(std::move(found).error());
  co_return std::move(found->spec);
}

slipway::Task<Result<AnalysisRunSpec>> compose_from_store(store::Store& store, std::string ns,
                                                          ArgoRequest request) {
  using Name = std::pair<bool, std::string>;
  const auto name_of = [](const AnalysisTemplateRef& reference) {
    return Name{reference.cluster_scope.value_or(false), reference.template_name};
  };
  std::map<Name, AnalysisTemplateSpec> known;
  std::vector<AnalysisTemplateRef> open = request.templates;
  while (!open.empty() && known.size() <= kMaxTemplates) {
    const AnalysisTemplateRef next = std::move(open.back());
    open.pop_back();
    if (known.contains(name_of(next))) continue;
    auto found = co_await load_template(store, ns, next);
    if (!found) co_return std::unexpected(std::move(found).error());
    open.insert(open.end(), found->templates.begin(), found->templates.end());
    known[name_of(next)] = std::move(*found);
  }
  co_return compose_run(request,
                        [&](const AnalysisTemplateRef& wanted) -> Result<AnalysisTemplateSpec> {
                          const auto found = known.find(name_of(wanted));
                          if (found == known.end()) return template_not_found(wanted);
                          return found->second;
                        });
}

}  // namespace slipway::analysis
