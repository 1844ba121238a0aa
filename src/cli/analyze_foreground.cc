#include "cli/analyze_foreground.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/controller.h"
#include "analysis/kayenta_remote.h"
#include "analysis/phase.h"
#include "api/object.h"
#include "async/interrupt.h"
#include "async/real_loop.h"
#include "base/base64.h"
#include "cli/analyze_output.h"
#include "cli/cluster_connection.h"
#include "cli/output.h"
#include "metrics/connections.h"
#include "store/decode.h"
#include "store/embedded.h"

namespace slipway::cli {

namespace {

using api::argo::AnalysisRun;

constexpr Duration kTick = std::chrono::milliseconds(250);
constexpr Duration kRedraw = std::chrono::seconds(1);
constexpr std::int32_t kKeptInReports = 200;  // measurements of a metric
constexpr std::string_view kOwnNamespace = "argo-rollouts";
const api::Gvr kSecrets{"", "v1", "secrets"};
const api::Gvr kNamespaces{"", "v1", "namespaces"};

std::string key_text(const store::Key& key) { return fmt::format("{}/{}", key.ns, key.name); }

bool has_ended(const AnalysisRun& run) {
  return run.status && analysis::is_completed(run.status->phase);
}

// Nothing to evaluate is a pass, in every dialect.
AnalysisRun passed_run(const PlannedRun& planned) {
  AnalysisRun run{.api_version = "argoproj.io/v1alpha1", .kind = "AnalysisRun"};
  run.metadata.value = json::Object{{"name", planned.compiled.name}, {"namespace", planned.ns}};
  run.status = api::argo::AnalysisRunStatus{.phase = std::string(analysis::kSuccessful),
                                            .message = "there is nothing to evaluate"};
  return run;
}

json::Object object_of(const PlannedRun& planned) {
  AnalysisRun run{.api_version = "argoproj.io/v1alpha1", .kind = "AnalysisRun"};
  run.metadata.value = json::Object{{"name", planned.compiled.name}, {"namespace", planned.ns}};
  run.spec = planned.compiled.spec;
  run.spec.ttl_strategy.reset();  // the run is read when it has ended
  // Rules of the manifest come after it and win.
  run.spec.measurement_retention.insert(run.spec.measurement_retention.begin(),
                                        {.metric_name = ".*", .limit = kKeptInReports});
  return api::encode(run);
}

json::Object secret_of(const analysis::CompiledSecret& secret) {
  json::Object data;
  for (const auto& [key, value] : secret.data) data[key] = base64_encode(value);
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata", json::Object{{"name", secret.name}}},
          {"data", std::move(data)}};
}

class Foreground {
 public:
  Foreground(AnalysisPlan plan, const ForegroundOptions& options)
      : plan_(std::move(plan)), options_(options) {}

  Result<Finished> run() {
    const auto interrupts = on_interrupt(*loop_, [this](int) { ++interrupts_; });
    return run_to_end(*loop_, carry_out());
  }

 private:
  Task<Result<Finished>> carry_out() {
    auto prepared = co_await prepare();
    if (prepared) {
      manager_.add(analysis::AnalysisRunReconciler::options(), reconciler_);
      manager_.start();
      prepared = co_await follow();
      if (options_.screen) options_.screen->clear();
      reconciler_.request_stop();
      co_await manager_.stop();
    }
    co_await recorder_.stop();
    co_await store_->stop();
    if (!prepared) co_return std::unexpected(std::move(prepared).error());
    co_return finished();
  }

  Task<Result<>> prepare() {
    std::set<std::string> namespaces{"default", std::string(kOwnNamespace)};
    for (const auto& run : plan_.runs) namespaces.insert(run.ns);
    for (const auto& secret : plan_.secrets)
      if (const auto ns = api::namespace_of(secret); !ns.empty()) namespaces.emplace(ns);
    for (const auto& ns : namespaces) {
      if (ns != "default") SLIPWAY_CO_TRY(co_await make_namespace(ns));
      for (const auto& secret : plan_.secrets)
        if (const auto own = api::namespace_of(secret); own.empty() || own == ns)
          SLIPWAY_CO_TRY(co_await make(kSecrets, ns, secret));
    }
    for (const auto& run : plan_.runs) SLIPWAY_CO_TRY(co_await make_run(run));
    co_return Result<>();
  }

  Task<Result<>> make_namespace(std::string name) {
    json::Object object{
        {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::Object{{"name", name}}}};
    co_return co_await make(kNamespaces, "", std::move(object));
  }

  Task<Result<>> make(api::Gvr kind, std::string ns, json::Object object) {
    if (!ns.empty()) api::metadata_of(object)["namespace"] = ns;
    json::erase(api::metadata_of(object), "resourceVersion");
    const std::string name(api::name_of(object));
    auto made = co_await store_->create(kind, ns, std::move(object),
                                        {.validation = store::FieldValidation::kIgnore});
    if (made || made.error().code == ErrorCode::kAlreadyExists) co_return Result<>();
    Error error = std::move(made).error();
    error.where = fmt::format("{} \"{}\"", kind.resource, name);
    co_return std::unexpected(std::move(error));
  }

  Task<Result<>> make_run(PlannedRun planned) {
    for (const auto& secret : planned.compiled.secrets)
      SLIPWAY_CO_TRY(co_await make(kSecrets, planned.ns, secret_of(secret)));
    if (planned.compiled.spec.metrics.empty()) {
      runs_[key_text({planned.ns, planned.compiled.name})] = passed_run(planned);
      co_return Result<>();
    }
    auto made = co_await store_->create(analysis::AnalysisRunReconciler::kKind, planned.ns,
                                        object_of(planned), {});
    if (!made) {
      Error error = std::move(made).error();
      error.where = fmt::format("{}:{}", planned.file, planned.line);
      co_return std::unexpected(std::move(error));
    }
    co_return take(*made);
  }

  Result<> take(const store::Item& item) {
    auto document = store::decode(item);
    if (!document) return std::unexpected(std::move(document).error());
    auto run = api::decode<AnalysisRun>(json::Value(std::move(*document)));
    if (!run) return std::unexpected(std::move(run).error());
    runs_.insert_or_assign(key_text(item.key), std::move(*run));
    changed_ = true;
    return {};
  }

  bool all_ended() const {
    return std::ranges::all_of(runs_, [](const auto& one) { return has_ended(one.second); });
  }

  Task<Result<>> follow() {
    auto watch = co_await store_->watch(analysis::AnalysisRunReconciler::kKind, {});
    if (!watch) co_return std::unexpected(std::move(watch).error());
    bool terminated = false;
    while (!all_ended() && interrupts_ < 2) {
      if (interrupts_ > 0 && !std::exchange(terminated, true)) co_await terminate();
      draw();
      auto events = co_await (*watch)->next(kTick, {});
      if (!events && events.error().code == ErrorCode::kTimeout) continue;
      if (!events) co_return std::unexpected(std::move(events).error());
      for (const auto& event : *events) {
        if (event.type == store::EventType::kAdded || event.type == store::EventType::kModified)
          SLIPWAY_CO_TRY(take(event.item));
      }
    }
    co_return Result<>();
  }

  // Those that cannot be told any more have ended meanwhile.
  Task<> terminate() {
    if (options_.screen) options_.screen->clear();
    note("slipway: ending the analysis; once more to leave at once");
    for (const auto& planned : plan_.runs) {
      const store::Key key{planned.ns, planned.compiled.name};
      if (has_ended(runs_.at(key_text(key)))) continue;
      store::Patch patch{.body = json::Object{{"spec", json::Object{{"terminate", true}}}}};
      [[maybe_unused]] const auto told =
          co_await store_->patch(analysis::AnalysisRunReconciler::kKind, key, std::move(patch), {});
    }
  }

  // When something has changed, and each second for the times that are told.
  void draw() {
    const Time now = loop_->clock().now();
    if (!options_.screen || (!changed_ && now - drawn_at_ < kRedraw)) return;
    changed_ = false;
    drawn_at_ = now;
    options_.screen->show(board_of(
        runs_, {.now = now, .colour = options_.colour, .columns = options_.screen->columns()}));
  }

  Finished finished() {
    Finished out{.interrupted = interrupts_ > 0};
    for (const auto& planned : plan_.runs)
      out.runs.push_back(std::move(runs_.at(key_text({planned.ns, planned.compiled.name}))));
    if (out.interrupted) std::ranges::for_each(out.runs, forget_unmeasured);
    return out;
  }

  AnalysisPlan plan_;
  ForegroundOptions options_;
  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Random> random_ = system_random();
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store_ =
      store::make_memory_store(*loop_, *registry_, *random_);
  std::unique_ptr<metrics::KubeConnection> cluster_ = cluster_of(*loop_, options_.server);
  metrics::Connections connections_{*loop_, metrics::Connections::system_environment(),
                                    cluster_.get()};
  control::Manager manager_{*loop_, *store_, *registry_};
  control::Recorder recorder_{*loop_, *store_, *random_, "analysis"};
  analysis::KayentaRemote kayenta_{connections_};
  analysis::Measurer measurer_{*loop_,
                               *store_,
                               [this](metrics::ProviderSpec spec) {
                                 return metrics::make_provider(std::move(spec), connections_);
                               },
                               {.own_namespace = std::string(kOwnNamespace),
                                .may_read_other_namespaces = true,
                                .may_read_files = true,
                                .environment = metrics::Connections::system_environment()},
                               {.kayenta = &kayenta_}};
  analysis::AnalysisRunReconciler reconciler_{manager_, recorder_, measurer_};
  Runs runs_;
  int interrupts_ = 0;
  bool changed_ = true;  // since it was drawn
  Time drawn_at_ = {};
};

}  // namespace

Result<Finished> run_in_foreground(AnalysisPlan plan, const ForegroundOptions& options) {
  return Foreground(std::move(plan), options).run();
}

}  // namespace slipway::cli
