#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace slipway::control {

// Counts observations by how large they were, as a Prometheus histogram does.
class Histogram {
 public:
  // `bounds` rise, and outlive it.
  explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size()) {}

  void observe(double value) {
    const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
    if (static_cast<std::size_t>(bucket) < counts_.size())
      ++counts_[static_cast<std::size_t>(bucket)];
    ++count_;
    sum_ += value;
  }

  std::span<const double> bounds() const { return bounds_; }
  // Of those above the bound before it; what is above the last is in count() only.
  std::span<const std::uint64_t> counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace slipway::control
