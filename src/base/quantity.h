#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace slipway {

// An amount of a resource: "500m", "1Gi", "2.5e3". Exact, a whole number of nanos.
class Quantity {
 public:
  // Sign, digits, then a suffix: n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or e3. Finer than a nano is
  // rounded away from zero. The error is kInvalid, worded as Kubernetes words it.
  static Result<Quantity> parse(std::string_view text);

  // As Kubernetes writes it back: "1000m" is "1", "0.5" is "500m", "1024Mi" is "1Gi"; what already
  // counts as canonical there ("1.234") stays as it was written.
  const std::string& canonical() const { return canonical_; }

  double value() const;
  // -1, 0 or 1.
  int sign() const;
  // By amount: "1" equals "1000m". Below zero when `this` is the smaller.
  int compare(const Quantity& other) const;

 private:
  std::string canonical_;
  bool negative_ = false;
  std::string nanos_;  // decimal digits without leading zeros; empty for zero
};

}  // namespace slipway
