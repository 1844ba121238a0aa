// Times the judge on the samples run.py wrote: `judge_time FOLDER` prints one JSON object, seconds
// by name.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "judge/effect.h"
#include "judge/kayenta/legacy_interval.h"
#include "judge/mann_whitney.h"

namespace {

using namespace slipway;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 31;
constexpr double kRoundSeconds = 0.01;

std::vector<double> load(const std::string& path) {
  const auto text = file::read(path);
  if (!text) {
    fmt::print(stderr, "judge_time: {}\n", text.error().text());
    std::exit(3);
  }
  const auto value = json::read(*text);
  std::vector<double> out;
  for (const auto& point : value->as_array()) out.push_back(point.to_number<double>());
  return out;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The best of rounds of many calls each, which other work on the machine disturbs least; `work`
// returns a number so that it cannot be left out.
template <class Work>
double seconds(const Work& work) {
  double kept = 0;
  int calls = 1;
  for (;; calls *= 2) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) kept += work();
    if (seconds_since(begin) > kRoundSeconds) break;
  }
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) kept += work();
    rounds.push_back(seconds_since(begin) / calls);
  }
  if (kept == 0.123456789) fmt::print(stderr, "unlikely\n");
  return std::ranges::min(rounds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: judge_time FOLDER\n");
    return 64;
  }
  const auto sample = [folder = std::string(argv[1])](const char* name) {
    return load(folder + "/" + name + ".json");
  };
  const auto p_of = [](const std::vector<double>& y, const std::vector<double>& x) {
    return judge::mann_whitney_p(judge::rank_pooled(y, x), {});
  };
  json::Object out;
  const auto add = [&](const char* name, const auto& work) { out[name] = seconds(work); };

  const auto y50 = sample("control50"), x50 = sample("experiment50");
  add("exact50", [&] { return p_of(y50, x50); });
  const auto y25 = sample("control25ties"), x25 = sample("experiment25ties");
  add("exact25ties", [&] { return p_of(y25, x25); });
  const auto y = sample("control1000"), x = sample("experiment1000");
  add("test1000", [&] { return p_of(y, x); });
  add("interval1000", [&] { return judge::effect_of(y, x).high; });
  add("all1000", [&] { return judge::judge_mann_whitney(y, x, {})->effect.low; });
  add("legacy1000", [&] { return judge::kayenta::legacy_interval(y, x, 0.98)->low; });
  const auto skewed_y = sample("control1000skewed"), skewed_x = sample("experiment1000skewed");
  add("all1000skewed",
      [&] { return judge::judge_mann_whitney(skewed_y, skewed_x, {})->effect.low; });

  const auto answer = judge::judge_mann_whitney(y, x, {});
  out["check"] = json::Object{{"exact50", p_of(y50, x50)},     {"exact25ties", p_of(y25, x25)},
                              {"test1000", *answer->p},        {"shift1000", answer->effect.shift},
                              {"low1000", answer->effect.low}, {"high1000", answer->effect.high}};
  fmt::print("{}\n", json::write(out));
  return 0;
}
