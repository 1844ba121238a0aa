#pragma once

#include <string>
#include <vector>

// Where the marks of an axis stand, and what is written there. Pure.
namespace slipway::analysis::report {

struct Tick {
  double at = 0;
  std::string label = {};
};

struct Extent {
  double from = 0, to = 1;  // from < to
};

// Extends to hold `value`; what is not finite changes nothing.
class ExtentBuilder {
 public:
  void add(double value);
  bool empty() const { return !(least_ <= most_); }
  // With a little room on both sides; one value alone is in the middle.
  Extent padded(double share) const;
  // `alone`: the room on both sides of one value; 0: half as much as it is.
  Extent exact(double alone = 0) const;

 private:
  double least_ = 1, most_ = 0;
  bool any_ = false;
};

// Round numbers within the extent, about `wanted` of them.
std::vector<Tick> number_ticks(Extent extent, int wanted);
// Whole minutes, hours or days, as times of day in UTC.
std::vector<Tick> time_ticks(Extent seconds, int wanted);
// Whole numbers only.
std::vector<Tick> count_ticks(Extent extent, int wanted);

// "15:04:05"
std::string time_of_day(double seconds, bool with_seconds);

}  // namespace slipway::analysis::report
