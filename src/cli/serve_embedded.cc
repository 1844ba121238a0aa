#include <optional>

#include "async/interrupt.h"
#include "async/real_loop.h"
#include "base/log.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/serve_analysis.h"
#include "cli/serve_names.h"
#include "cli/serve_rollouts.h"
#include "cli/serve_runtime.h"
#include "cli/serve_traffic.h"
#include "cli/serving.h"
#include "cli/serving_certificate.h"
#include "control/events.h"
#include "control/garbage.h"
#include "control/namespaces.h"
#include "server/api_server.h"
#include "store/embedded.h"

namespace slipway::cli {

namespace {

constexpr Duration kKeepEvents = std::chrono::hours(1);

// Everything a server on the embedded store is made of, in the order it is built; taken down in
// reverse.
class EmbeddedServer {
 public:
  explicit EmbeddedServer(const ServeOptions& options) : options_(options) {}

  Result<> start() {
    if (!options_.images.empty()) SLIPWAY_TRY(check_images(options_.images));
    const auto hosts = served_hosts(options_);
    auto dir = open_served_dir(options_, hosts, loop_->clock(), *random_);
    if (!dir) return std::unexpected(dir.error());
    dir_ = *dir;
    SLIPWAY_TRY(open_store());
    start_control();
    return open_port(hosts);
  }

  // Until interrupted. The order matters: no new requests, then no new decisions, then the last
  // writes.
  void run() {
    auto interrupts = on_interrupt(*loop_, [this, asked = false](int) mutable {
      if (!std::exchange(asked, true)) spawn(*loop_, stop());
    });
    announce(options_, *http_);
    loop_->run();
    http_.reset();
  }

 private:
  Result<> open_store() {
    if (options_.memory) {
      store_ = store::make_memory_store(*loop_, *registry_, *random_);
      return {};
    }
    SLIPWAY_TRY(make_database(dir_));
    auto opened = store::open_sqlite_store(*loop_, *pool_, *registry_, *random_, dir_.database());
    if (!opened) return std::unexpected(opened.error());
    store_ = std::move(*opened);
    return {};
  }

  void start_control() {
    manager_.emplace(*loop_, *store_, *registry_);
    recorder_.emplace(*loop_, *store_, *random_, "garbage-collector-controller");
    garbage_.emplace(*manager_, *recorder_);
    namespaces_.emplace(*manager_);
    manager_->add(control::NamespaceReconciler::options(), *namespaces_);
    manager_->add_job([this](std::stop_token stop) {
      return control::expire_events(*manager_, kKeepEvents, stop);
    });
    analysis_.emplace(
        *manager_, *random_,
        ServedAnalysis::Options{.one_tenant = true,
                                .traffic = [this] { return ledger(); },
                                .places = service_places(*manager_, [this] { return own_url(); })});
    rollouts_.emplace(*manager_, *random_, rollout::Routers::kTranslated);
    if (!options_.no_workloads)
      runtime_.emplace(*manager_, *random_,
                       ServedRuntime::Options{.data = dir_.folder, .images = options_.images});
    if (!options_.no_workloads) traffic_.emplace(*manager_, *random_, dir_.folder);
    manager_->start();
  }

  Result<> open_port(const std::vector<std::string>& hosts) {
    add_metric_sources();
    server::Options options{.admin_token = dir_.admin_token, .view_token = dir_.view_token};
    options.hosts.insert(options.hosts.end(), hosts.begin(), hosts.end());
    if (runtime_) options.logs = &runtime_->logs(), options.usage = &runtime_->usage();
    api_ = server::make_api_server(*loop_, *registry_, *store_, std::move(options), metrics_);
    auto listening = listen(*loop_, options_, dir_, *api_);
    if (!listening) return std::unexpected(listening.error());
    http_ = std::move(*listening);
    certificate_.emplace(*loop_, *http_, dir_, hosts);
    return write_kubeconfigs(dir_, served_url(options_, *http_));
  }

  std::string own_url() const { return http_ ? served_url(options_, *http_) : std::string(); }
  const runtime::traffic::Ledger* ledger() const {
    return traffic_ ? &traffic_->controller().ledger() : nullptr;
  }

  void add_metric_sources() {
    add_connection_metrics(metrics_, http_);
    add_analysis_metrics(metrics_, [this] { return &analysis_->stats(); });
    metrics_.add_text([this] {
      return [this, place = RolloutMetrics::Place()](std::string& to) mutable {
        return rollouts_->metrics().write(place, to);
      };
    });
    if (traffic_) add_traffic_metrics(metrics_, [this] { return &traffic_->controller(); });
    using Type = server::Metrics::Type;
    using Samples = std::vector<server::Metrics::Sample>;
    metrics_.add_source("slipway_objects", "Objects kept, by kind.", Type::kGauge, [this] {
      Samples samples;
      for (const auto& [kind, count] : store_->stats().objects)
        samples.push_back({{{"kind", kind}}, static_cast<double>(count)});
      return samples;
    });
    metrics_.add_source(
        "slipway_queue_keys", "Keys waiting for a controller.", Type::kGauge, [this] {
          auto samples = queue_samples(*manager_);
          samples.push_back({{{"controller", "garbage"}}, static_cast<double>(garbage_->queued())});
          return samples;
        });
    const auto one = [this](std::string name, std::string help, Type type, auto read) {
      metrics_.add_source(std::move(name), std::move(help), type, [this, read] {
        return Samples{{{}, static_cast<double>(read(store_->stats()))}};
      });
    };
    using Stats = const store::EmbeddedStats&;
    one("slipway_store_writes_total", "Writes committed.", Type::kCounter,
        [](Stats s) { return s.writes; });
    one("slipway_store_commits_total", "Batches committed.", Type::kCounter,
        [](Stats s) { return s.commits; });
    one("slipway_store_failed_commits_total", "Batches that could not be committed.",
        Type::kCounter, [](Stats s) { return s.failed_commits; });
    one("slipway_store_object_bytes", "Bytes of all objects.", Type::kGauge,
        [](Stats s) { return s.object_bytes; });
    one("slipway_store_watches", "Open watches.", Type::kGauge, [](Stats s) { return s.watches; });
  }

  Task<> stop() {
    log::info("serve", "stopping");
    co_await http_->stop(kStopGrace);
    analysis_->request_stop();
    rollouts_->request_stop();
    if (runtime_) runtime_->request_stop();
    co_await manager_->stop();
    if (runtime_) co_await runtime_->stop();
    if (traffic_) co_await traffic_->stop();
    co_await analysis_->stop();
    co_await rollouts_->stop();
    co_await recorder_->stop();
    co_await store_->stop();
    loop_->stop();
  }

  ServeOptions options_;
  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Random> random_ = system_random();
  std::unique_ptr<Pool> pool_ = make_thread_pool(1);
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  DataDir dir_;
  std::unique_ptr<store::EmbeddedStore> store_;
  std::optional<control::Manager> manager_;
  std::optional<control::Recorder> recorder_;
  std::optional<control::GarbageCollector> garbage_;
  std::optional<control::NamespaceReconciler> namespaces_;
  std::optional<ServedAnalysis> analysis_;
  std::optional<ServedRollouts> rollouts_;
  std::optional<ServedRuntime> runtime_;
  std::optional<ServedTraffic> traffic_;
  server::Metrics metrics_;
  std::unique_ptr<http::Handler> api_;
  std::unique_ptr<http::Server> http_;
  std::optional<ServingCertificate> certificate_;
};

}  // namespace

int serve_embedded(const ServeOptions& options) {
  EmbeddedServer server(options);
  if (auto started = server.start(); !started) {
    complain(started.error());
    std::_Exit(
        kExitCannotAsk);  // half built: nothing was acknowledged, nothing needs an orderly end
  }
  server.run();
  return kExitDone;
}

}  // namespace slipway::cli
