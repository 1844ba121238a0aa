#include "cli/demo/stage.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/apply.h"
#include "cli/demo/program.h"
#include "cli/exit_code.h"
#include "http/client.h"
#include "runtime/process/find_program.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(50);
constexpr int kUsualPrometheusPort = 9090;
constexpr std::size_t kMaxSaid = 600;  // of what a program said before it died

// A loopback address that is hardly anybody's: outside of what slipway gives to Pods, Services and
// Gateways, and not the one that everybody uses.
std::string own_address() {
  const auto random = system_random();
  return fmt::format("127.{}.{}.{}", 32 + random->below(32), random->below(256),
                     1 + random->below(254));
}

std::unexpected<Error> missing(std::string_view program) {
  return fail(
      ErrorCode::kNotFound,
      fmt::format("the demo needs the program {0}, which is not on this machine; on Debian: "
                  "apt-get install {0}",
                  program));
}

}  // namespace

Error Stage::died(std::string_view what, const std::string& log) const {
  std::string said = file::read(log).value_or("");
  if (said.size() > kMaxSaid) said = "…" + said.substr(said.size() - kMaxSaid);
  return {.code = ErrorCode::kUnavailable,
          .message = fmt::format("{} does not get ready; it said:\n{}", what, text::trim(said))};
}

Result<> Stage::raise() {
  prometheus_program_ = runtime::find_program("prometheus");
  if (prometheus_program_.empty()) return missing("prometheus");
  if (runtime::find_program("haproxy").empty()) return missing("haproxy");
  SLIPWAY_TRY(find_places());
  SLIPWAY_TRY(start_server());
  SLIPWAY_TRY(start_prometheus());
  auto session = Session::open({.kubeconfig = kubeconfig()});
  if (!session) return std::unexpected(session.error());
  session_ = std::move(*session);
  return {};
}

Result<> Stage::find_places() {
  const auto program = own_program();
  if (!program) return std::unexpected(program.error());
  const std::string address = own_address();
  const auto port = free_port(address, places_.port);
  if (!port) return std::unexpected(port.error());
  const auto prometheus_port = free_port(address, kUsualPrometheusPort);
  if (!prometheus_port) return std::unexpected(prometheus_port.error());
  prometheus_address_ = fmt::format("{}:{}", address, *prometheus_port);
  places_.program = *program;
  places_.prometheus = "http://" + prometheus_address_;
  places_.port = *port;
  return {};
}

Result<> Stage::start_server() {
  const Scene scene = make_scene(places_);
  SLIPWAY_TRY(file::make_folder(data(), 0700));
  SLIPWAY_TRY(file::write(folder_ + "/images.conf", scene.images, 0600));
  SLIPWAY_TRY(file::write(folder_ + "/web.yaml", scene.manifests, 0600));
  const std::string log = folder_ + "/server.log";
  auto started = start_program({places_.program, "serve", "--data", data(), "--port", "0",
                                "--images", folder_ + "/images.conf"},
                               log);
  if (!started) return std::unexpected(started.error());
  server_ = *started;
  constexpr std::string_view kReady = "ready ";
  for (Duration waited{}; waited < kServerPatience; waited += kPoll) {
    for (const std::string& line : text::split(file::read(log).value_or(""), '\n'))
      if (line.starts_with(kReady)) {
        places_.server = text::trim(line.substr(kReady.size()));
        return {};
      }
    if (!runs(server_)) break;
    rest(kPoll);
  }
  return fail(died("the server", log));
}

Result<> Stage::start_prometheus() {
  SLIPWAY_TRY(file::write(data() + "/prometheus.conf", make_scene(places_).prometheus, 0600));
  auto started = start_program(
      {prometheus_program_, "--config.file=" + data() + "/prometheus.conf",
       "--storage.tsdb.path=" + folder_ + "/prometheus", "--storage.tsdb.retention.time=1d",
       "--log.level=warn", "--web.listen-address=" + prometheus_address_},
      folder_ + "/prometheus.log");
  if (!started) return std::unexpected(started.error());
  prometheus_ = *started;
  return {};
}

Task<Result<>> Stage::wait_for_prometheus() {
  const auto client = http::make_client(session_->loop());
  for (Duration waited{}; waited < kPrometheusPatience; waited += kPoll) {
    if (!runs(prometheus_)) break;
    const auto answer = co_await client->send(
        {.url = places_.prometheus + "/-/ready", .timeout = std::chrono::seconds(1)});
    if (answer && answer->status == 200) co_return Result<>{};
    co_await sleep_for(session_->loop(), kPoll);
  }
  co_return fail(died("Prometheus", folder_ + "/prometheus.log"));
}

Result<> Stage::apply_manifests() {
  const int code =
      apply({.server = {.kubeconfig = kubeconfig()}, .files = {folder_ + "/web.yaml"}});
  if (code == kExitDone) return {};
  return fail(ErrorCode::kInvalid, "the server did not take the demo's manifests");
}

}  // namespace slipway::cli
