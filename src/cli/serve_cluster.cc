#include <optional>

#include "async/interrupt.h"
#include "async/real_loop.h"
#include "base/log.h"
#include "cli/cluster_connection.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/serve_analysis.h"
#include "cli/serve_rollouts.h"
#include "cli/serving.h"
#include "cli/serving_certificate.h"
#include "control/leader.h"
#include "server/api_server.h"
#include "store/kube/kube_store.h"
#include "store/kube/limited_connection.h"

namespace slipway::cli {

namespace kube = store::kube;

namespace {

constexpr Duration kFirstAnswer = std::chrono::seconds(10);

// Everything a server for a cluster is made of, in the order it is built; taken down in reverse.
// Several copies may run: all answer for their health, one holds the Lease and works.
class ClusterServer {
 public:
  explicit ClusterServer(const ServeOptions& options) : options_(options) {}

  Result<> start() {
    auto access = options_.in_cluster
                      ? kube::in_cluster_access()
                      : kube::load_kubeconfig(options_.kubeconfig, options_.context);
    if (!access) return std::unexpected(access.error());
    const auto hosts = served_hosts(options_);
    auto dir = open_served_dir(options_, hosts, loop_->clock(), *random_);
    if (!dir) return std::unexpected(dir.error());
    const std::string cluster = access->server;
    own_namespace_ = options_.lease_namespace.empty() ? access->ns : options_.lease_namespace;
    connection_ = kube::connect(*loop_, *pool_, std::move(*access));
    SLIPWAY_TRY(greet(cluster));
    store_ = kube::make_kube_store(*loop_, *connection_, *registry_);
    election_.emplace(*loop_, *store_, *random_,
                      control::LeaderOptions{.ns = own_namespace_,
                                             .identity = control::leader_identity(*random_)});
    return open_port(*dir, hosts);
  }

  // Until interrupted. The Lease is released once the work has ended, so that another copy need
  // not wait for it to run out.
  void run() {
    auto interrupts = on_interrupt(*loop_, [this](int) { stop_.request_stop(); });
    announce(options_, *http_);
    spawn(*loop_, work());
    loop_->run();
    http_.reset();
  }

 private:
  // A cluster that cannot be reached, or that does not know us, is said at once.
  Result<> greet(const std::string& cluster) {
    auto answer =
        run_to_end(*loop_, connection_->send({.target = "/version", .timeout = kFirstAnswer}));
    if (answer && answer->status < 400) return {};
    Error problem = answer ? kube::error_of(*answer) : answer.error();
    problem.message = "cannot reach the cluster at " + cluster + ": " + problem.message;
    return std::unexpected(std::move(problem));
  }

  Result<> open_port(const DataDir& dir, const std::vector<std::string>& hosts) {
    add_connection_metrics(metrics_, http_);
    add_analysis_metrics(metrics_, [this] { return analysis_ ? &analysis_->stats() : nullptr; });
    // A term may end, and another begin, while it is being written.
    metrics_.add_text([this] {
      return [this, place = RolloutMetrics::Place()](std::string& to) mutable {
        return rollouts_ && rollouts_->metrics().write(place, to);
      };
    });
    using Type = server::Metrics::Type;
    using Samples = std::vector<server::Metrics::Sample>;
    metrics_.add_source("slipway_leader", "1 in the copy that leads.", Type::kGauge,
                        [this] { return Samples{{{}, election_->leading() ? 1.0 : 0.0}}; });
    metrics_.add_source("slipway_queue_keys", "Keys waiting for a controller.", Type::kGauge,
                        [this] { return manager_ ? queue_samples(*manager_) : Samples{}; });
    server::Options options{
        .admin_token = dir.admin_token,
        .view_token = dir.view_token,
        .objects = false,
        .checks = {{.name = "cluster", .check = [this] { return election_->contact(); }}}};
    options.hosts.insert(options.hosts.end(), hosts.begin(), hosts.end());
    api_ = server::make_api_server(*loop_, *registry_, *store_, std::move(options), metrics_);
    auto listening = listen(*loop_, options_, dir, *api_);
    if (!listening) return std::unexpected(listening.error());
    http_ = std::move(*listening);
    certificate_.emplace(*loop_, *http_, dir, hosts);
    return {};
  }

  Task<> work() {
    co_await election_->run([this](std::stop_token stop) { return lead(std::move(stop)); },
                            stop_.get_token());
    log::info("serve", "stopping");
    co_await http_->stop(kStopGrace);
    loop_->stop();
  }

  // The cluster collects garbage and empties namespaces itself. A term has a connection of its own:
  // once it is over another copy may lead soon, and no write of ours may come late.
  Task<> lead(std::stop_token stop) {
    const auto connection = kube::limit_connection(*connection_, stop);
    const auto store = kube::make_kube_store(*loop_, *connection, *registry_);
    manager_.emplace(*loop_, *store, *registry_);
    const auto cluster = cluster_behind(*connection);
    analysis_.emplace(
        *manager_, *random_,
        ServedAnalysis::Options{.own_namespace = own_namespace_, .cluster = cluster.get()});
    rollouts_.emplace(*manager_, *random_, rollout::Routers::kAsWritten);
    manager_->start();
    while (co_await sleep_for(*loop_, std::chrono::hours(1), stop)) continue;
    analysis_->request_stop();
    rollouts_->request_stop();
    co_await manager_->stop();
    co_await analysis_->stop();
    co_await rollouts_->stop();
    rollouts_.reset();
    analysis_.reset();
    manager_.reset();
  }

  ServeOptions options_;
  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Random> random_ = system_random();
  std::unique_ptr<Pool> pool_ = make_thread_pool(1);
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::stop_source stop_;
  std::unique_ptr<kube::Connection> connection_;
  std::unique_ptr<store::Store> store_;
  std::optional<control::LeaderElection> election_;
  std::string own_namespace_;
  std::optional<control::Manager> manager_;  // these while we lead
  std::optional<ServedAnalysis> analysis_;
  std::optional<ServedRollouts> rollouts_;
  server::Metrics metrics_;
  std::unique_ptr<http::Handler> api_;
  std::unique_ptr<http::Server> http_;
  std::optional<ServingCertificate> certificate_;
};

}  // namespace

int serve_cluster(const ServeOptions& options) {
  ClusterServer server(options);
  if (auto started = server.start(); !started) {
    complain(started.error());
    std::_Exit(kExitCannotAsk);  // half built, and nothing done yet
  }
  server.run();
  return kExitDone;
}

}  // namespace slipway::cli
