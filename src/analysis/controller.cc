#include "analysis/controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/due.h"
#include "analysis/phase.h"
#include "api/schema/codec.h"
#include "base/json_skim.h"
#include "base/log.h"
#include "store/decode.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRun;
using control::Outcome;

// However short an interval is written, and times are kept to the second.
constexpr Duration kShortestGap = std::chrono::milliseconds(100);

constexpr std::string_view kCannotResolve = "Unable to resolve metric arguments: ";
constexpr std::string_view kSpecInvalid = "Analysis spec invalid: ";

// Without its managedFields: nothing here asks for them, and a write without them leaves them be.
Result<json::Object> read_run(const store::Item& item) {
  static constexpr std::string_view kLeftOut[] = {"managedFields"};
  return json::skim(*item.bytes, kLeftOut,
                    {.max_bytes = item.bytes->size() + 1, .max_depth = store::kMaxReadDepth});
}

const json::Value& status_of(const json::Value& document) {
  static const json::Value kNone = nullptr;
  const json::Value* status = json::at(document, {"status"});
  return status ? *status : kNone;
}

const json::Value& metrics_of(const json::Value& document) {
  static const json::Value kNone = nullptr;
  const json::Value* metrics = json::at(document, {"spec", "metrics"});
  return metrics ? *metrics : kNone;
}

// What events say they are about.
json::Object about(const json::Value& document) {
  const json::Value* metadata = json::at(document, {"metadata"});
  return {{"apiVersion", json::string_at(document, {"apiVersion"})},
          {"kind", json::string_at(document, {"kind"})},
          {"metadata", metadata ? *metadata : json::Value(json::Object{})}};
}

// What asking again can mend is no reason to end a run.
bool is_lasting(ErrorCode code) {
  return code == ErrorCode::kNotFound || code == ErrorCode::kInvalid ||
         code == ErrorCode::kForbidden || code == ErrorCode::kTooLarge;
}

bool does_not_fit(const Error& error) {
  return error.code == ErrorCode::kTooLarge || error.code == ErrorCode::kInvalid;
}

// The run with nothing of its measurements but the counts.
AnalysisRun bare(AnalysisRun run) {
  if (!run.status) return run;
  for (auto& result : run.status->metric_results) {
    result.measurements.clear();
    result.state = {};
  }
  return run;
}

// How many of a metric's Jobs are kept, when one more has just come than there should be.
Kept oldest_job_goes(const AnalysisRun& run, const RunRules& rules,
                     const std::vector<Measured>& measured) {
  Kept kept;
  for (const Measured& one : measured) {
    const auto& metric = run.spec.metrics[one.metric];
    if (!metric.provider.job || one.continues) continue;
    const auto rule = rules.kept.find(metric.name);
    const auto most =
        static_cast<std::size_t>(rule == rules.kept.end() ? kKeptMeasurements : rule->second);
    const auto* result = result_of(run, metric.name);
    if (result && result->measurements.size() >= most) kept[metric.name] = most;
  }
  return kept;
}

// A gap under a second cannot be told from times of whole ones.
Duration shortest_gap(const AnalysisRun& run) {
  Duration gap = std::chrono::seconds(1);
  for (const auto& metric : run.spec.metrics)
    if (!metric.interval.empty()) gap = std::min(gap, interval_of(metric));
  return std::max(gap, kShortestGap);
}

}  // namespace

control::ControllerOptions AnalysisRunReconciler::options() {
  return {
      .name = "analysisrun", .kind = kKind, .owns = {{"batch", "v1", "jobs"}}, .workers = kWorkers};
}

AnalysisRunReconciler::AnalysisRunReconciler(control::Manager& manager, control::Recorder& recorder,
                                             Measurer& measurer)
    : manager_(manager), recorder_(recorder), measurer_(measurer) {}

// The cache may be behind what we have written ourselves: measuring from there would be for
// nothing.
slipway::Task<Result<std::optional<store::Item>>> AnalysisRunReconciler::read(store::Key key) {
  using Found = std::optional<store::Item>;
  const auto known = known_.find(key);
  const store::Item* cached = manager_.cache(kKind).get(key);
  if (cached && (known == known_.end() || cached->version >= known->second.version))
    co_return Found(*cached);
  if (!cached && known == known_.end()) co_return Found();
  auto item = co_await manager_.store().get(kKind, key);
  if (item) co_return Found(std::move(*item));
  if (item.error().code == ErrorCode::kNotFound) co_return Found();
  co_return std::unexpected(std::move(item).error());
}

slipway::Task<Result<Outcome>> AnalysisRunReconciler::reconcile(store::Key key) {
  auto item = co_await read(key);
  if (!item) co_return std::unexpected(std::move(item).error());
  if (!*item) {
    known_.erase(key);
    co_return Outcome{};
  }
  const Time now = manager_.loop().clock().now();
  if (const auto known = known_.find(key); known != known_.end() &&
                                           known->second.version == (*item)->version &&
                                           known->second.next && *known->second.next > now)
    co_return Outcome{.again = *known->second.next - now};

  auto document = read_run(**item);
  if (!document) co_return std::unexpected(std::move(document).error());
  if (api::is_deleting(*document)) {
    known_.erase(key);
    co_return Outcome{};
  }
  Look look{.key = key, .version = (*item)->version, .document = json::Value(std::move(*document))};
  auto run = api::decode<AnalysisRun>(look.document);
  if (!run) co_return std::unexpected(std::move(run).error());
  look.run = std::make_shared<AnalysisRun>(std::move(*run));
  if (look.run->status && is_completed(look.run->status->phase))
    co_return co_await expire(std::move(look));
  co_return co_await carry_on(std::move(look));
}

slipway::Task<Result<Outcome>> AnalysisRunReconciler::expire(Look look) {
  known_.erase(look.key);
  const auto expiry = expiry_of(*look.run);
  if (!expiry) co_return Outcome{};
  const Time now = manager_.loop().clock().now();
  if (*expiry > now) co_return Outcome{.again = *expiry - now};
  auto removed = co_await manager_.store().remove(
      kKind, look.key,
      {.propagation = store::Propagation::kBackground,
       .if_uid = std::string(api::uid_of(look.document.get_object())),
       .if_version = look.version});
  if (!removed && removed.error().code != ErrorCode::kNotFound)
    co_return std::unexpected(std::move(removed).error());
  co_return Outcome{};
}

slipway::Task<Result<Outcome>> AnalysisRunReconciler::carry_on(Look look) {
  const auto& clock = manager_.loop().clock();
  const auto now = [&clock] { return std::chrono::floor<std::chrono::seconds>(clock.now()); };
  AnalysisRun& run = *look.run;
  look.arguments = arguments_of(run.spec, run.metadata.value);
  if (has_tags(metrics_of(look.document))) {
    auto resolved = resolve(metrics_of(look.document), look.arguments.tags);
    if (!resolved)
      co_return co_await conclude(
          std::move(look),
          refuse(run, fmt::format("{}{}", kCannotResolve, resolved.error().message), now()), true);
    run.spec.metrics = std::move(*resolved);
  }
  auto rules = rules_of(run.spec);
  if (!rules)
    co_return co_await conclude(
        std::move(look),
        refuse(run, fmt::format("{}{}", kSpecInvalid, rules.error().message), now()), true);
  look.rules = std::move(*rules);

  const Due due = decide_due(run, clock.now());
  std::vector<Measured> measured;
  if (!due.tasks.empty()) {
    auto asked = co_await with_secrets(look);
    if (!asked && !is_lasting(asked.error().code)) co_return std::unexpected(asked.error());
    if (!asked)
      co_return co_await conclude(
          std::move(look),
          refuse(run, fmt::format("{}{}", kCannotResolve, asked.error().message), now()), true);
    measured = co_await measurer_.measure(std::move(*asked), due.tasks, stop_.get_token());
    if (stop_.stop_requested()) co_return Outcome{};
    for (Measured& one : measured) look.redactor.clean(one);
  }
  const bool changed = !measured.empty();
  look.kept_jobs = oldest_job_goes(run, look.rules, measured);
  Assessment assessment = assess(run, look.rules, std::move(measured), now());
  co_return co_await conclude(std::move(look), std::move(assessment), changed);
}

// The run as it is asked: what is in Secrets is in its metrics, so it goes no further than the
// providers.
slipway::Task<Result<std::shared_ptr<const AnalysisRun>>> AnalysisRunReconciler::with_secrets(
    Look& look) {
  if (look.arguments.secrets.empty()) co_return std::shared_ptr<const AnalysisRun>(look.run);
  SecretData data;
  for (const SecretArgument& argument : look.arguments.secrets) {
    if (data.contains(argument.secret)) continue;
    auto secret = co_await read_secret(manager_.store(), look.key.ns, argument.secret);
    if (!secret) co_return std::unexpected(std::move(secret).error());
    data[argument.secret] = std::move(*secret);
  }
  SLIPWAY_CO_TRY(fill_secrets(look.arguments, data, look.redactor));
  // From the object's own metrics: those of the look have the stand-ins in place already.
  auto metrics = resolve(metrics_of(look.document), look.arguments.tags);
  if (!metrics)
    co_return fail(metrics.error().code, look.redactor.cleaned_message(metrics.error().message));
  auto asked = std::make_shared<AnalysisRun>(*look.run);
  asked->spec.metrics = std::move(*metrics);
  co_return std::shared_ptr<const AnalysisRun>(std::move(asked));
}

slipway::Task<Result<Outcome>> AnalysisRunReconciler::conclude(Look look, Assessment assessment,
                                                               bool changed) {
  if (changed || !json::same(api::encode(assessment.status), status_of(look.document))) {
    const json::Object subject =
        assessment.happenings.empty() ? json::Object() : about(look.document);
    auto written = co_await write_status(look, assessment.status);
    if (!written && does_not_fit(written.error())) {
      assessment = refuse(bare(*look.run), "the status cannot be kept: " + written.error().text(),
                          std::chrono::floor<std::chrono::seconds>(manager_.loop().clock().now()));
      written = co_await write_status(look, assessment.status);
    }
    if (!written) co_return std::unexpected(std::move(written).error());
    look.version = *written;
    for (const Happening& happening : assessment.happenings)
      recorder_.record(
          subject, happening.warning ? control::EventKind::kWarning : control::EventKind::kNormal,
          happening.reason, happening.message);
    if (!look.kept_jobs.empty())
      co_await measurer_.collect(look.run, std::move(look.kept_jobs), stop_.get_token());
  }
  look.run->status = std::move(assessment.status);
  if (is_completed(look.run->status->phase)) {
    known_[look.key] = {.version = look.version};  // until the cache has it, too
    const auto expiry = expiry_of(*look.run);
    if (!expiry) co_return Outcome{};
    co_return Outcome{
        .again = std::max(*expiry - manager_.loop().clock().now(), Duration(kShortestGap))};
  }
  co_return wait_until(look, next_look(*look.run, manager_.loop().clock().now()));
}

Outcome AnalysisRunReconciler::wait_until(const Look& look, std::optional<Time> next) {
  Known& known = known_[look.key];
  known.version = std::max(known.version, look.version);
  known.next.reset();
  if (!next) return {};
  const Time now = manager_.loop().clock().now();
  known.next = std::max(*next, now + (*next <= now ? shortest_gap(*look.run) : Duration()));
  return {.again = *known.next - now};
}

// A conflict is either somebody else's edit of the spec, which leaves our status true, or another
// status, which makes what we measured worthless.
slipway::Task<Result<>> AnalysisRunReconciler::read_again(Look& look) {
  auto fresh = co_await manager_.store().get(kKind, look.key);
  if (!fresh) co_return std::unexpected(std::move(fresh).error());
  auto document = read_run(*fresh);
  if (!document) co_return std::unexpected(std::move(document).error());
  known_[look.key] = {.version = fresh->version};
  look.document = std::move(*document);
  if (api::uid_of(look.document.get_object()) != look.uid ||
      !json::same(status_of(look.document), look.before))
    co_return fail(ErrorCode::kConflict,
                   "the run has another status than the one that was measured from");
  co_return Result<>();
}

// The document goes with the write: whoever needs it afterwards reads it again.
slipway::Task<Result<store::Version>> AnalysisRunReconciler::write_status(
    Look& look, const api::argo::AnalysisRunStatus& status) {
  if (look.uid.empty()) {
    look.uid = api::uid_of(look.document.get_object());
    if (json::Value* status_before = json::at(look.document, {"status"}))
      look.before = std::move(*status_before);
  }
  for (int i = 0; i < kMaxWrites; ++i) {
    if (look.document.is_null()) SLIPWAY_CO_TRY(co_await read_again(look));
    json::Object object = std::move(look.document.get_object());
    look.document = nullptr;
    object["status"] = api::encode(status);
    auto written = co_await manager_.store().update(kKind, look.key, std::move(object), {});
    if (written) co_return written->version;
    if (written.error().code != ErrorCode::kConflict)
      co_return std::unexpected(std::move(written).error());
  }
  co_return fail(ErrorCode::kConflict, "others write the run all the time");
}

}  // namespace slipway::analysis
