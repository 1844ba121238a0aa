#include "experiment/perform.h"

#include <fmt/format.h>

#include "analysis/controller.h"
#include "experiment/decide_analysis.h"
#include "experiment/objects.h"
#include "store/decode.h"

namespace slipway::experiment {

namespace {

const api::Gvr& kRuns = analysis::AnalysisRunReconciler::kKind;

// What asking again cannot mend.
bool is_lasting(ErrorCode code) {
  return code == ErrorCode::kInvalid || code == ErrorCode::kForbidden ||
         code == ErrorCode::kTooLarge || code == ErrorCode::kBadRequest;
}

std::string reason_of(const Error& error) {
  std::string text = error.message;
  if (text.size() > kMaxReason) {
    std::size_t end = kMaxReason;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text = text.substr(0, end) + "…";
  }
  return text;
}

std::string not_ours(std::string_view what, std::string_view name, std::string_view variant) {
  return fmt::format("{} {} already exists and is not owned by experiment template {}", what, name,
                     variant);
}

}  // namespace

Performer::Performer(store::Store& store, control::Recorder& recorder, const Identity& who,
                     const json::Object& about, Observed& observed)
    : store_(store), recorder_(recorder), who_(who), about_(about), observed_(observed) {}

Task<Result<>> Performer::perform(Action action) {
  if (auto* one = std::get_if<CreateReplicaSet>(&action))
    return create_replica_set(std::move(*one));
  if (auto* one = std::get_if<DeleteReplicaSet>(&action))
    return delete_replica_set(std::move(*one));
  if (auto* one = std::get_if<PatchReplicaSet>(&action)) return patch_replica_set(std::move(*one));
  if (auto* one = std::get_if<CreateService>(&action)) return create_service(std::move(*one));
  if (auto* one = std::get_if<PatchService>(&action)) return patch_service(std::move(*one));
  if (auto* one = std::get_if<DeleteService>(&action)) return delete_service(std::move(*one));
  if (auto* one = std::get_if<CreateRun>(&action)) return create_run(std::move(*one));
  return terminate_run(std::get<TerminateRun>(std::move(action)));
}

void Performer::say(const Happening& happening) {
  recorder_.record(about_,
                   happening.warning ? control::EventKind::kWarning : control::EventKind::kNormal,
                   happening.reason, happening.message);
}

Result<json::Object> Performer::note(const api::Gvr& kind, const store::Item& item) {
  written_[kind] = std::max(written_[kind], item.version);
  return store::decode(item);
}

Task<Result<std::optional<json::Object>>> Performer::get(api::Gvr kind, std::string name) {
  using Found = std::optional<json::Object>;
  auto item = co_await store_.get(kind, {who_.ns, name});
  if (!item && item.error().code == ErrorCode::kNotFound) co_return Found();
  if (!item) co_return std::unexpected(std::move(item).error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  co_return Found(std::move(*document));
}

// True when it is gone, false when it is on its way.
Task<Result<bool>> Performer::remove(api::Gvr kind, std::string name, std::string uid) {
  auto removed = co_await store_.remove(
      kind, {who_.ns, std::move(name)},
      {.propagation = store::Propagation::kBackground, .if_uid = std::move(uid)});
  if (!removed && removed.error().code == ErrorCode::kNotFound) co_return true;
  if (!removed) co_return std::unexpected(std::move(removed).error());
  written_[kind] = std::max(written_[kind], removed->item.version);
  co_return removed->gone;
}

// A ReplicaSet of ours that is there already was made by a look that did not come to its end.
Task<Result<>> Performer::create_replica_set(CreateReplicaSet create) {
  const std::string name(api::name_of(create.object));
  auto made = co_await store_.create(kReplicaSets, who_.ns, std::move(create.object), {});
  if (made) {
    auto document = note(kReplicaSets, *made);
    if (!document) co_return std::unexpected(std::move(document).error());
    observed_.replica_sets[create.variant] = replica_set_seen(*document);
    observed_.created.insert(create.variant);
    co_return Result<>();
  }
  if (made.error().code == ErrorCode::kAlreadyExists) {
    auto there = co_await get(kReplicaSets, name);
    if (!there) co_return std::unexpected(std::move(there).error());
    if (!*there) co_return Result<>();
    if (template_of(**there, who_) == create.variant)
      observed_.replica_sets[create.variant] = replica_set_seen(**there);
    else
      observed_.waiting[create.variant] = not_ours("ReplicaSet", name, create.variant);
    co_return Result<>();
  }
  if (!is_lasting(made.error().code)) co_return std::unexpected(std::move(made).error());
  observed_.failures[create.variant] = fmt::format(
      "Failed to create ReplicaSet for template '{}': {}", create.variant, reason_of(made.error()));
  co_return Result<>();
}

Task<Result<>> Performer::delete_replica_set(DeleteReplicaSet remove_one) {
  auto gone = co_await remove(kReplicaSets, remove_one.name, remove_one.uid);
  if (!gone) co_return std::unexpected(std::move(gone).error());
  if (*gone)
    observed_.replica_sets.erase(remove_one.variant);
  else
    observed_.replica_sets[remove_one.variant].deleting = true;
  say({.reason = "ReplicaSetDeleted",
       .message = fmt::format("Deleted ReplicaSet {}: template '{}' is not what it was made of",
                              remove_one.name, remove_one.variant)});
  co_return Result<>();
}

Task<Result<>> Performer::patch_replica_set(PatchReplicaSet patch) {
  json::Value body(std::move(patch.body));
  json::object_at(body, {"metadata"})["uid"] = patch.uid;
  auto done =
      co_await store_.patch(kReplicaSets, {who_.ns, patch.name}, {.body = std::move(body)}, {});
  if (done) {
    auto document = note(kReplicaSets, *done);
    if (!document) co_return std::unexpected(std::move(document).error());
    observed_.replica_sets[patch.variant] = replica_set_seen(*document);
    if (patch.scales) observed_.scaled.insert(patch.variant);
    for (const Happening& happening : patch.happenings) say(happening);
    co_return Result<>();
  }
  if (done.error().code == ErrorCode::kNotFound) {
    observed_.replica_sets.erase(patch.variant);
    co_return Result<>();
  }
  if (!is_lasting(done.error().code)) co_return std::unexpected(std::move(done).error());
  observed_.failures[patch.variant] = fmt::format(
      "Unable to scale ReplicaSet for template '{}': {}", patch.variant, reason_of(done.error()));
  co_return Result<>();
}

// A Service of another Experiment goes when that one has ended: worth waiting for.
Task<Result<>> Performer::create_service(CreateService create) {
  const std::string name(api::name_of(create.object));
  const auto failed = [&](const std::string& why) {
    observed_.failures[create.variant] =
        fmt::format("Failed to create Service {} for template '{}': {}", name, create.variant, why);
  };
  auto made = co_await store_.create(kServices, who_.ns, std::move(create.object), {});
  if (made) {
    auto document = note(kServices, *made);
    if (!document) co_return std::unexpected(std::move(document).error());
    observed_.services[create.variant] = service_seen(*document);
    co_return Result<>();
  }
  if (made.error().code == ErrorCode::kAlreadyExists) {
    auto there = co_await get(kServices, name);
    if (!there) co_return std::unexpected(std::move(there).error());
    if (!*there) co_return Result<>();
    const auto owner = api::controller_of(**there);
    if (template_of(**there, who_) == create.variant)
      observed_.services[create.variant] = service_seen(**there);
    else if (owner && owner->kind == "Experiment")
      observed_.waiting[create.variant] = not_ours("service", name, create.variant);
    else
      failed(not_ours("service", name, create.variant));
    co_return Result<>();
  }
  if (!is_lasting(made.error().code)) co_return std::unexpected(std::move(made).error());
  failed(reason_of(made.error()));
  co_return Result<>();
}

Task<Result<>> Performer::patch_service(PatchService patch) {
  json::Object uid{{"op", "test"}, {"path", "/metadata/uid"}, {"value", patch.uid}};
  json::Object selector{{"op", "replace"}, {"path", "/spec/selector"}};
  selector["value"] = std::move(patch.selector);
  auto done = co_await store_.patch(
      kServices, {who_.ns, patch.name},
      {.type = store::PatchType::kJson, .body = json::Array{std::move(uid), std::move(selector)}},
      {});
  if (!done && done.error().code == ErrorCode::kNotFound) {
    observed_.services.erase(patch.variant);
    co_return Result<>();
  }
  if (!done) co_return std::unexpected(std::move(done).error());
  auto document = note(kServices, *done);
  if (!document) co_return std::unexpected(std::move(document).error());
  observed_.services[patch.variant] = service_seen(*document);
  co_return Result<>();
}

Task<Result<>> Performer::delete_service(DeleteService remove_one) {
  auto gone = co_await remove(kServices, remove_one.name, remove_one.uid);
  if (!gone) co_return std::unexpected(std::move(gone).error());
  if (*gone)
    observed_.services.erase(remove_one.variant);
  else
    observed_.services[remove_one.variant].deleting = true;
  co_return Result<>();
}

Task<Result<>> Performer::create_run(CreateRun create) {
  const auto is_final = [](const Error& error) {
    return is_lasting(error.code) || error.code == ErrorCode::kNotFound;
  };
  auto spec = co_await analysis::compose_from_store(store_, who_.ns, std::move(create.request));
  Result<analysis::MadeRun> made = fail(ErrorCode::kInternal, "");
  if (spec) {
    create.run.spec = std::move(*spec);
    made = co_await analysis::create_run(store_, analysis::run_object(create.run));
  } else {
    made = std::unexpected(std::move(spec).error());
  }
  if (!made && !is_final(made.error())) co_return std::unexpected(std::move(made).error());
  if (made) {
    observed_.made_runs[create.analysis] = made->name;
  } else {
    const Error why{.code = made.error().code, .message = reason_of(made.error())};
    observed_.analysis_failures[create.analysis] = creation_failed(create.analysis, why);
  }
  co_return Result<>();
}

Task<Result<>> Performer::terminate_run(TerminateRun terminate) {
  json::Object body{{"spec", json::Object{{"terminate", true}}}};
  auto done = co_await store_.patch(kRuns, {who_.ns, terminate.run}, {.body = std::move(body)}, {});
  if (!done && done.error().code == ErrorCode::kNotFound) {
    observed_.runs.erase(terminate.run);
    co_return Result<>();
  }
  if (!done) co_return std::unexpected(std::move(done).error());
  written_[kRuns] = std::max(written_[kRuns], done->version);
  observed_.runs[terminate.run].terminate = true;
  say({.reason = "AnalysisRunTerminating",
       .message = terminate.analysis.empty()
                      ? fmt::format("Terminating {}, which nothing comes of", terminate.run)
                      : fmt::format("Terminating {} ({})", terminate.analysis, terminate.run)});
  co_return Result<>();
}

}  // namespace slipway::experiment
