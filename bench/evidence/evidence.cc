// evidence SEED HEALTHY BROKEN: draws releases, HEALTHY of them without any difference from each
// model of noise and BROKEN with each kind of difference, lets every rule judge them, and prints
// one JSON line for each: how many failed at which look. The same seed prints the same.

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

#include "evidence/noise.h"
#include "evidence/rules.h"

namespace evidence {
namespace {

using slipway::judge::Direction;

constexpr int kLooks = 30;

struct Scene {
  Noise noise = Noise::kIndependent;
  Difference difference = {};
};

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (Noise noise : kAll) all.push_back({.noise = noise});
  for (Noise noise : {Noise::kIndependent, Noise::kShared, Noise::kOverlapping}) {
    for (double size : {0.25, 0.5, 1.0, 2.0}) {
      all.push_back({.noise = noise, .difference = {.size = size}});
    }
  }
  all.push_back({.noise = Noise::kRemembered, .difference = {.size = 1}});
  all.push_back({.noise = Noise::kPoisson, .difference = {.size = 1}});
  all.push_back({.noise = Noise::kDispersed, .difference = {.size = 1}});
  all.push_back({.noise = Noise::kSmallTraffic, .difference = {.size = 2}});
  all.push_back({.noise = Noise::kIndependent, .difference = {.size = 1, .from_look = 10}});
  return all;
}

void run_scene(const Scene& scene, std::uint64_t seed, int runs) {
  auto all = rules(Direction::kIncrease);
  // What is found in one direction is the question of the second table.
  const auto either = rules(Direction::kEither);
  const bool healthy = scene.difference.size == 0;
  all.insert(all.end(), either.begin(), healthy ? either.end() : either.begin() + 1);
  std::vector<std::array<int, kLooks + 1>> failed(all.size());
  std::mt19937_64 random(seed);
  for (int run = 0; run < runs; ++run) {
    const Release release = draw(scene.noise, kLooks, scene.difference, random);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto look = first_failure(all[i], scene.noise, release, kLooks);
      if (look) ++failed[i][static_cast<std::size_t>(*look)];
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string counts;
    for (int look = 1; look <= kLooks; ++look) {
      counts += fmt::format("{}{}", look > 1 ? "," : "", failed[i][static_cast<std::size_t>(look)]);
    }
    fmt::print(R"({{"noise":"{}","size":{},"from":{},"rule":"{}","runs":{},"failed":[{}]}})"
               "\n",
               name_of(scene.noise), scene.difference.size, scene.difference.from_look, all[i].name,
               runs, counts);
  }
  std::fflush(stdout);
}

bool number(const char* text, std::uint64_t& into) {
  return std::from_chars(text, text + std::strlen(text), into).ec == std::errc();
}

}  // namespace
}  // namespace evidence

int main(int count, char** words) {
  std::uint64_t seed = 0;
  std::uint64_t healthy = 0;
  std::uint64_t broken = 0;
  if (count != 4 || !evidence::number(words[1], seed) || !evidence::number(words[2], healthy) ||
      !evidence::number(words[3], broken)) {
    fmt::print(stderr, "evidence SEED HEALTHY BROKEN\n");
    return 64;
  }
  std::uint64_t scene_seed = seed * 1000;
  for (const auto& scene : evidence::scenes()) {
    const std::uint64_t runs = scene.difference.size > 0 ? broken : healthy;
    evidence::run_scene(scene, ++scene_seed, static_cast<int>(runs));
  }
}
