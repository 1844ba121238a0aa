#include "analysis/report/sparkline.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace slipway::analysis::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

TEST(Sparkline, GoesFromTheLeastToTheGreatest) {
  const struct {
    std::vector<double> values;
    std::size_t width;
    std::string bars;
  } cases[] = {
      {{}, 8, ""},
      {{1, 2, 3, 4, 5, 6, 7, 8}, 8, "▁▂▃▄▅▆▇█"},
      {{0, 1}, 8, "▁█"},
      {{5, 5, 5}, 8, "▄▄▄"},
      {{-1e-9, 1e-9}, 8, "▁█"},
      {{1, kNan, 2, kInfinity}, 8, "▁ █ "},
      {{kNan}, 8, " "},
      {{-kLargest, kLargest}, 8, "▁█"},
      {{1, 1, 9, 9}, 2, "▁█"},
      {{kNan, 1, 9, kNan}, 2, "▁█"},
      {{1, 2, 3}, 0, ""},
  };
  for (const auto& c : cases) EXPECT_EQ(sparkline(c.values, c.width), c.bars);
}

}  // namespace
}  // namespace slipway::analysis::report
