#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace slipway {

// The one gate for randomness. The real one asks the system; the seeded one repeats itself, for
// simulation.
class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;

  // Uniform in [0, bound); bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1).
  double unit();
  // A version 4 UUID.
  std::string uuid();
  // `length` characters of Kubernetes' safe alphabet (bcdfghjklmnpqrstvwxz2456789), for
  // generateName.
  std::string suffix(int length = 5);
};

std::unique_ptr<Random> system_random();
std::unique_ptr<Random> seeded_random(std::uint64_t seed);

}  // namespace slipway
