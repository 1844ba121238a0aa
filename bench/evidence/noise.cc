#include "evidence/noise.h"

#include <cmath>

namespace evidence {
namespace {

constexpr double kLevel = 100;  // so that values are positive, as latencies are
constexpr double kDeviation = 1;
constexpr int kRange = 5;
constexpr int kLeastHistory = 240;
constexpr int kWholeHistory = 1440;  // what a comparison asks for
constexpr double kSlow = 0.9;
constexpr double kKept = 0.5;
constexpr double kEventsAMinute = 2;
constexpr double kSpread = 0.5;  // variance of a rate, relative to its square
constexpr double kErrorShare = 0.01;
constexpr double kSmallRequests = 20;
constexpr double kLargeRequests = 380;

using Random = std::mt19937_64;

double normal(Random& random) {
  std::normal_distribution<double> standard;
  return standard(random);
}

// Points of unit variance.
std::vector<double> unit_noise(Noise noise, int count, Random& random) {
  std::vector<double> points;
  switch (noise) {
    case Noise::kHeavyTails:
      for (int i = 0; i < count; ++i) {
        std::student_t_distribution<double> tails(3);
        points.push_back(tails(random) / std::sqrt(3.0));
      }
      return points;
    case Noise::kOverlapping: {
      std::vector<double> raw;
      for (int i = 0; i < count + kRange - 1; ++i) raw.push_back(normal(random));
      for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (int k = 0; k < kRange; ++k) sum += raw[static_cast<std::size_t>(i + k)];
        points.push_back(sum / std::sqrt(static_cast<double>(kRange)));
      }
      return points;
    }
    case Noise::kAutoregressive: {
      double value = normal(random);
      for (int i = 0; i < count; ++i) {
        value = kKept * value + std::sqrt(1 - kKept * kKept) * normal(random);
        points.push_back(value);
      }
      return points;
    }
    default:
      for (int i = 0; i < count; ++i) points.push_back(normal(random));
      return points;
  }
}

bool differs(int minute, const Difference& difference) {
  return (minute - 1) / kPointsALook >= difference.from_look && minute > 0;
}

Release draw_values(Noise noise, int minutes, const Difference& difference, Random& random) {
  Release release;
  const int before = noise == Noise::kAutoregressive ? kLeastHistory
                     : noise == Noise::kRemembered   ? kWholeHistory
                                                     : 0;
  auto control = unit_noise(noise, before + minutes, random);
  auto experiment = unit_noise(noise, before + minutes, random);
  for (int i = 0; i < before; ++i) {
    const auto at = static_cast<std::size_t>(i);
    release.history.push_back(experiment[at] - control[at]);
  }
  double slow = normal(random);
  for (int i = 0; i < minutes; ++i) {
    const auto at = static_cast<std::size_t>(before + i);
    slow = kSlow * slow + std::sqrt(1 - kSlow * kSlow) * normal(random);
    const double level = kLevel + (noise == Noise::kShared ? 2 * kDeviation * slow : 0);
    const double shift = differs(i, difference) ? difference.size * kDeviation : 0;
    release.control.points.push_back(level + kDeviation * control[at]);
    release.experiment.points.push_back(level + kDeviation * experiment[at] + shift);
  }
  return release;
}

double poisson(double mean, Random& random) {
  std::poisson_distribution<long> events(mean);
  return static_cast<double>(events(random));
}

void draw_minute(Side& side, double requests, double rate, bool shares, Random& random) {
  const double exposure = shares ? std::max(1.0, poisson(requests, random)) : 1;
  const double events = poisson(rate * exposure, random);
  side.events.push_back(events);
  side.exposure.push_back(exposure);
  side.points.push_back(shares ? events / exposure : events);
}

Release draw_counts(Noise noise, int minutes, const Difference& difference, Random& random) {
  Release release;
  const bool shares = noise == Noise::kSmallTraffic;
  std::gamma_distribution<double> spread(1 / kSpread, kSpread);
  const auto rate = [&] {
    if (noise == Noise::kDispersed) return kEventsAMinute * spread(random);
    return shares ? kErrorShare : kEventsAMinute;
  };
  if (noise == Noise::kDispersed)
    for (int i = 0; i < kWholeHistory; ++i)
      draw_minute(release.before, kLargeRequests, rate(), shares, random);
  for (int i = 0; i < minutes; ++i) {
    const double factor = differs(i, difference) ? 1 + difference.size : 1;
    draw_minute(release.control, kLargeRequests, rate(), shares, random);
    draw_minute(release.experiment, kSmallRequests, rate() * factor, shares, random);
  }
  return release;
}

}  // namespace

std::string_view name_of(Noise noise) {
  switch (noise) {
    case Noise::kIndependent:
      return "independent";
    case Noise::kRemembered:
      return "normal, tau from 24 h";
    case Noise::kHeavyTails:
      return "heavy tails (t3)";
    case Noise::kOverlapping:
      return "rate over 5 m at 1 m";
    case Noise::kAutoregressive:
      return "AR(.5), tau from 4 h";
    case Noise::kShared:
      return "shared AR(.9), 2 sd";
    case Noise::kPoisson:
      return "Poisson 2/min";
    case Noise::kDispersed:
      return "counts of twice the variance, 24 h before";
    case Noise::kSmallTraffic:
      return "5 % traffic, 1 % errors";
  }
  return "";
}

bool is_counted(Noise noise) {
  return noise == Noise::kPoisson || noise == Noise::kDispersed || noise == Noise::kSmallTraffic;
}

Release draw(Noise noise, int looks, const Difference& difference, std::mt19937_64& random) {
  const int minutes = looks * kPointsALook + 1;
  return is_counted(noise) ? draw_counts(noise, minutes, difference, random)
                           : draw_values(noise, minutes, difference, random);
}

}  // namespace evidence
