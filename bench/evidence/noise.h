#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Releases drawn from models of noise: per-minute points of two sides, five a look.
namespace evidence {

inline constexpr int kPointsALook = 5;

enum class Noise {
  kIndependent,     // normal
  kRemembered,      // normal, of sides that were there before the release
  kHeavyTails,      // Student's t with 3 degrees of freedom
  kOverlapping,     // rate over 5 m asked for each minute: a moving average of five
  kAutoregressive,  // each point keeps half of the one before
  kShared,          // both sides also share a slow component of twice the deviation
  kPoisson,         // counts, two a minute and side
  kDispersed,       // the same, of a rate that is another each minute: twice the variance
  kSmallTraffic,    // 1 % errors of 20 requests a minute beside 380
};
inline constexpr Noise kAll[] = {Noise::kIndependent, Noise::kRemembered,     Noise::kHeavyTails,
                                 Noise::kOverlapping, Noise::kAutoregressive, Noise::kShared,
                                 Noise::kPoisson,     Noise::kDispersed,      Noise::kSmallTraffic};
std::string_view name_of(Noise noise);
bool is_counted(Noise noise);

struct Side {
  std::vector<double> points = {};  // what a per-minute query answers: values, or shares of errors
  std::vector<double> events = {};  // counted noise: events and exposure of each minute
  std::vector<double> exposure = {};
};

struct Release {
  Side control = {};
  Side experiment = {};
  // The hours before, of both sides as they were: what autocorrelation is estimated from.
  std::vector<double> history = {};
  Side before = {};  // the same of counted noise: of the control
};

struct Difference {
  double size = 0;  // in standard deviations; counted noise: the rate's factor less one
  int from_look = 0;
};

// `looks` times kPointsALook minutes, and one before them, which PipeCD's windows share.
Release draw(Noise noise, int looks, const Difference& difference, std::mt19937_64& random);

}  // namespace evidence
