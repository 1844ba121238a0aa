#include "scenario/simulated/ramble.h"

#include <fmt/format.h>

#include "base/random.h"

namespace slipway::scenario {

namespace {

constexpr int kDeeds = 25;
constexpr std::uint64_t kMaxPauseSeconds = 400;
constexpr std::uint64_t kMaxHasteMs = 4000;
constexpr Duration kLetBe = std::chrono::minutes(2);  // for what was last said to be seen

using Manifests = std::vector<std::string_view>;
const std::vector<Manifests> kWorlds{
    {"rolling.yaml"},
    {"canary.yaml"},
    {"deadline.yaml"},
    {"rollback-window.yaml"},
    {"error-rate.yaml", "analysed.yaml"},
    {"error-rate.yaml", "step-analysis.yaml"},
    {"error-rate.yaml", "experiment-step.yaml"},
    {"error-rate.yaml", "blue-green.yaml"},
    {"routed-objects.yaml", "routed.yaml"},
    {"routed-objects.yaml", "canary-scale.yaml"},
    {"routed-objects.yaml", "dynamic.yaml"},
    {"routed-objects.yaml", "min-pods.yaml"},
    {"ping-pong.yaml"},
    {"error-rate.yaml", "blue-green-manual.yaml"},
    {"error-rate.yaml", "blue-green-both.yaml"},
    {"error-rate.yaml", "routed-objects.yaml", "routed-experiment.yaml"},
    {"error-rate.yaml", "history.yaml"},
    {"metadata.yaml"}};

struct Thought {
  std::uint64_t weight;
  Line (*line)(Random&);
};

Line set_image(Random& random) {
  return {.verb = "set", .words = {"image", "web", fmt::format("web:v{}", 1 + random.below(4))}};
}
Line scale(Random& random) {
  return {.verb = "scale", .words = {"web", std::to_string(random.below(8))}};
}
Line metric(Random& random) {
  static constexpr std::string_view kValues[] = {"0.001", "0.001", "0.07", "0.3", "none", "error"};
  return {.verb = "metric",
          .words = {"prometheus", "error_rate", std::string(kValues[random.below(6)])}};
}
// One that nobody is likely to have in use, or one that everybody has.
Line make_ill(Random& random) {
  return {.verb = "unready", .words = {fmt::format("web:v{}", 1 + random.below(4))}};
}
Line heal(Random& random) {
  return {.verb = "ready", .words = {fmt::format("web:v{}", 1 + random.below(4))}};
}
Line promote(Random& random) {
  Line line{.verb = "promote", .words = {"web"}};
  if (random.below(5) == 0) line.words.emplace_back("--full");
  return line;
}
Line undo(Random& random) {
  Line line{.verb = "undo", .words = {"web"}};
  if (random.below(2) == 0) line.words.push_back(std::to_string(1 + random.below(4)));
  return line;
}
template <const char* verb>
Line simple(Random&) {
  return {.verb = verb, .words = {"web"}};
}
constexpr char kAbort[] = "abort", kRetry[] = "retry", kPause[] = "pause", kRestart[] = "restart";

const Thought kThoughts[] = {
    {1, make_ill},       {1, heal},           {6, set_image},       {8, promote},
    {2, simple<kAbort>}, {3, simple<kRetry>}, {2, scale},           {3, metric},
    {1, simple<kPause>}, {2, undo},           {2, simple<kRestart>}};

Line think(Random& random) {
  std::uint64_t all = 0;
  for (const Thought& thought : kThoughts) all += thought.weight;
  std::uint64_t at = random.below(all);
  for (const Thought& thought : kThoughts) {
    if (at < thought.weight) return thought.line(random);
    at -= thought.weight;
  }
  return set_image(random);
}

// Often before anything has come of the last one; who is in haste does most things so, and in the
// middle of what follows from them.
Duration pause(Random& random, bool is_in_haste) {
  if (is_in_haste && random.below(4) != 0)
    return std::chrono::milliseconds(random.below(kMaxHasteMs));
  const std::uint64_t most = !is_in_haste && random.below(3) == 0 ? 3 : kMaxPauseSeconds;
  return std::chrono::seconds(random.below(most));
}

// A source that answers nothing, or Pods that never get well, would be no end; nor is a pause. So
// somebody comes who wants it through, or gives it up.
void close(Script& script, Duration now, Random& random) {
  const auto add = [&](std::string verb, std::vector<std::string> words) {
    script.lines.push_back({.at = now, .verb = std::move(verb), .words = std::move(words)});
  };
  for (int version = 1; version <= 4; ++version) add("ready", {fmt::format("web:v{}", version)});
  add("metric", {"prometheus", "error_rate", "0.001"});
  add("patch", {"web", "{spec: {paused: false}}"});
  now += kLetBe;
  if (random.below(2) == 0) add("retry", {"web"});
  now += std::chrono::seconds(random.below(2) == 0 ? 1 : kMaxPauseSeconds);
  random.below(4) == 0 ? add("abort", {"web"}) : add("promote", {"web", "--full"});
}

}  // namespace

Script ramble(std::uint64_t seed, const std::filesystem::path& folder) {
  const auto random = seeded_random(seed);
  Script script{.name = fmt::format("ramble-{}", seed), .folder = folder, .lenient = true};
  for (const std::string_view manifest : kWorlds[random->below(kWorlds.size())])
    script.lines.push_back({.verb = "apply", .words = {std::string(manifest)}});
  script.lines.push_back({.verb = "metric", .words = {"prometheus", "error_rate", "0.001"}});
  Duration now = std::chrono::minutes(1);
  const bool is_in_haste = random->below(2) == 0;
  for (int i = 0; i < kDeeds; ++i) {
    Line line = think(*random);
    line.number = i + 1;
    line.at = now;
    script.lines.push_back(std::move(line));
    now += pause(*random, is_in_haste);
  }
  close(script, now, *random);
  return script;
}

}  // namespace slipway::scenario
