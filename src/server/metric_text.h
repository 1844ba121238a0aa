#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "control/histogram.h"

namespace slipway::server {

// Writes families in Prometheus' text format, line by line and at once: for so many series that a
// value for each would hold up the loop.
class MetricText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  explicit MetricText(std::string& to) : to_(to) {}

  // What follows belongs to it. `type`: counter, gauge, histogram. A family without samples leaves
  // nothing behind.
  void begin(std::string_view name, std::string_view type, std::string_view help);
  // What follows belongs to a family that another text has begun.
  void go_on(std::string_view name) { name_ = name, head_.clear(); }
  // Some of the family is written.
  bool has_begun() const { return head_.empty(); }
  void sample(Labels labels, double value);
  void histogram(Labels labels, const control::Histogram& histogram);

 private:
  void line(std::string_view suffix, Labels labels, std::string_view bound, double value);

  std::string& to_;
  std::string name_ = {};
  std::string head_ = {};  // not written yet
};

}  // namespace slipway::server
