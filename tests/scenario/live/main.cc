#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "async/gate.h"
#include "async/limit.h"
#include "async/real_loop.h"
#include "scenario/live/live_stage.h"
#include "scenario/player/player.h"
#include "store/kube/kube_store.h"

// scenario_live KUBECONFIG METRICS FOLDER PACE [FILTER]: plays every script whose name holds FILTER
// on a running server, several at a time, each in a namespace of its own; a line each for
// tests/runner.py.
namespace slipway::scenario {
namespace {

constexpr int kAtOnce = 64;  // they wait more than they work

struct Server {
  std::unique_ptr<Loop> loop = make_loop();
  std::unique_ptr<Pool> pool = make_thread_pool(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<store::kube::Connection> connection = {};
  std::unique_ptr<store::Store> store = {};
};

struct Tally {
  int failed = 0;
};

Task<> play(Server& server, const LiveOptions& options, Script script,
            [[maybe_unused]] Limit::Permit place, Tally& tally) {
  LiveStage stage(*server.loop, *server.store, "s-" + script.name, options);
  std::string finding;
  if (auto made = co_await stage.make_namespace(); !made) {
    finding = made.error().text();
  } else {
    Player player(stage, *server.registry, script);
    finding = co_await player.play();
  }
  tally.failed += finding.empty() ? 0 : 1;
  if (finding.empty())
    fmt::print("ok {}\n", script.name);
  else
    fmt::print("FAIL {}: {}\n", script.name, finding);
  std::fflush(stdout);
}

Task<> play_all(Server& server, const LiveOptions& options, std::vector<Script> scripts,
                Tally& tally) {
  Gate gate(*server.loop);
  Limit limit(*server.loop, kAtOnce);
  for (Script& script : scripts) {
    auto place = co_await limit.enter();
    gate.spawn(play(server, options, std::move(script), std::move(*place), tally));
  }
  co_await gate.close();
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    fmt::print(stderr, "scenario_live KUBECONFIG METRICS FOLDER PACE [FILTER]\n");
    return 64;
  }
  const LiveOptions options{
      .metrics = words[1], .folder = words[2], .pace = std::strtod(words[3].c_str(), nullptr)};
  std::vector<Script> scripts;
  for (const auto& file : scripts_in(SLIPWAY_SCENARIOS)) {
    if (words.size() > 4 && !file.stem().string().contains(words[4])) continue;
    auto script = read_script(file);
    if (!script) {
      fmt::print("FAIL {}: {}\n", file.stem().string(), script.error().text());
      return 1;
    }
    scripts.push_back(std::move(*script));
  }
  Server server;
  auto access = store::kube::load_kubeconfig(words[0]);
  if (!access) {
    fmt::print(stderr, "{}\n", access.error().text());
    return 3;
  }
  server.connection = store::kube::connect(*server.loop, *server.pool, std::move(*access));
  server.store = store::kube::make_kube_store(*server.loop, *server.connection, *server.registry);
  Tally tally;
  run_to_end(*server.loop, play_all(server, options, std::move(scripts), tally));
  return tally.failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace slipway::scenario

int main(int argc, char** argv) {
  return slipway::scenario::run(std::vector<std::string>(argv + 1, argv + argc));
}
