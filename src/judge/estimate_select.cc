#include "judge/estimate_select.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace slipway::judge {

namespace {

// Two equal infinities differ by nothing.
double difference(double x, double y) { return x == y ? 0.0 : x - y; }

constexpr std::size_t kSampleRows = 16;  // 16 x 16 differences place the first bracket
constexpr double kSampleMargin = 0.04;   // by how much their quantiles are off, at most, mostly
constexpr std::size_t kCollectPerPoint =
    2;  // a bracket of this many times N is sorted out directly

struct Weighted {
  double value = 0;
  std::size_t weight = 0;
};

// The value below and above which at most half of the weight lies. Halves the rows each time.
double weighted_middle(std::vector<Weighted> rows, std::size_t total) {
  auto begin = rows.begin();
  auto end = rows.end();
  std::size_t wanted = total / 2;
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end,
                     [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    std::size_t left = 0;
    for (auto row = begin; row != middle; ++row) left += row->weight;
    if (wanted < left) {
      end = middle;
    } else {
      wanted -= left;
      begin = middle;
      if (wanted < begin->weight) break;
      wanted -= begin->weight;
      if (end - begin == 1) break;
      ++begin;
    }
  }
  return begin->value;
}

}  // namespace

Differences::Differences(std::span<const double> x, std::span<const double> y) : x_(x), y_(y) {
  SLIPWAY_ASSERT(!x.empty() && !y.empty());
}

// Along ascending x the first y that is near enough only moves up: one walk down the staircase.
Differences::Counts Differences::count(double value) const {
  Counts out;
  std::size_t below = 0;
  std::size_t at_most = 0;
  for (double x : x_) {
    while (at_most < y_.size() && difference(x, y_[at_most]) > value) ++at_most;
    below = std::max(below, at_most);
    while (below < y_.size() && difference(x, y_[below]) >= value) ++below;
    out.below += y_.size() - below;
    out.at_most += y_.size() - at_most;
  }
  return out;
}

double Differences::next(double previous, std::size_t k) const {
  if (count(previous).at_most >= k) return previous;
  double least = std::numeric_limits<double>::infinity();
  std::size_t first = 0;
  for (double x : x_) {
    while (first < y_.size() && difference(x, y_[first]) > previous) ++first;
    if (first > 0) least = std::min(least, difference(x, y_[first - 1]));
  }
  return least;
}

double Differences::sampled(double quantile) const {
  const std::size_t rows = std::min(kSampleRows, x_.size());
  const std::size_t columns = std::min(kSampleRows, y_.size());
  std::vector<double> sample;
  sample.reserve(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      sample.push_back(difference(x_[(2 * i + 1) * x_.size() / (2 * rows)],
                                  y_[(2 * j + 1) * y_.size() / (2 * columns)]));
  const auto last = static_cast<double>(sample.size() - 1);
  const auto at = static_cast<std::ptrdiff_t>(std::clamp(quantile, 0.0, 1.0) * last);
  std::nth_element(sample.begin(), sample.begin() + at, sample.end());
  return sample[static_cast<std::size_t>(at)];
}

double Differences::interpolated(const Bracket& bracket, double target) {
  const double part =
      (target - static_cast<double>(bracket.up_to_low)) / static_cast<double>(bracket.inside());
  return bracket.low + (bracket.high - bracket.low) * part;
}

double Differences::weighted_median(const Bracket& bracket) const {
  std::vector<Weighted> rows;
  rows.reserve(x_.size());
  std::size_t begin = 0;
  std::size_t end = 0;
  for (double x : x_) {
    while (begin < y_.size() && difference(x, y_[begin]) >= bracket.high) ++begin;
    end = std::max(begin, end);
    while (end < y_.size() && difference(x, y_[end]) > bracket.low) ++end;
    if (end > begin)
      rows.push_back({.value = difference(x, y_[(begin + end) / 2]), .weight = end - begin});
  }
  return weighted_middle(std::move(rows), bracket.inside());
}

bool Differences::narrow(Bracket& bracket, double pivot, std::size_t k) const {
  const auto counts = count(pivot);
  if (counts.below >= k) {
    bracket.high = pivot;
    bracket.below_high = counts.below;
  } else if (counts.at_most < k) {
    bracket.low = pivot;
    bracket.up_to_low = counts.at_most;
  } else {
    return true;
  }
  return false;
}

std::vector<double> Differences::inside(const Bracket& bracket) const {
  std::vector<double> out;
  out.reserve(bracket.inside());
  std::size_t begin = 0;
  for (double x : x_) {
    while (begin < y_.size() && difference(x, y_[begin]) >= bracket.high) ++begin;
    for (std::size_t at = begin; at < y_.size() && difference(x, y_[at]) > bracket.low; ++at)
      out.push_back(difference(x, y_[at]));
  }
  return out;
}

// A bracket around the k-th is narrowed until few enough differences are left to be written down:
// first by quantiles of a small sample, then by interpolation a little to either side of k. A step
// that dropped less than a quarter of the bracket is followed by one that surely does (Johnson and
// Mizoguchi's weighted median of the rows' medians), whatever the values.
double Differences::kth(std::size_t k) const {
  SLIPWAY_ASSERT(k >= 1 && k <= size());
  Bracket bracket{.low = difference(x_.front(), y_.back()),
                  .high = difference(x_.back(), y_.front())};
  if (bracket.up_to_low = count(bracket.low).at_most; bracket.up_to_low >= k) return bracket.low;
  if (bracket.below_high = count(bracket.high).below; bracket.below_high < k) return bracket.high;
  const auto within = [&](double pivot) { return pivot > bracket.low && pivot < bracket.high; };
  const std::size_t few = kCollectPerPoint * (x_.size() + y_.size());
  if (bracket.inside() > few) {
    const double quantile = static_cast<double>(k) / static_cast<double>(size());
    for (double margin : {-kSampleMargin, kSampleMargin})
      if (const double pivot = sampled(quantile + margin); within(pivot))
        if (narrow(bracket, pivot, k)) return pivot;
  }
  for (bool slow = false; bracket.inside() > few;) {
    const std::size_t before = bracket.inside();
    const auto margin = static_cast<double>(std::max(few / 4, before / 32));
    const bool cut_below = k - bracket.up_to_low > bracket.below_high - k;
    const double target = static_cast<double>(k) + (cut_below ? -margin : margin);
    double pivot = interpolated(bracket, target);
    if (slow || !within(pivot)) pivot = weighted_median(bracket);
    if (narrow(bracket, pivot, k)) return pivot;
    slow = bracket.inside() > before / 4 * 3;
  }
  auto left = inside(bracket);
  const auto at = left.begin() + static_cast<std::ptrdiff_t>(k - bracket.up_to_low - 1);
  std::nth_element(left.begin(), at, left.end());
  return *at;
}

}  // namespace slipway::judge
