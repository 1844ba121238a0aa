#include "base/random.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <random>

#include "base/error.h"
#include "base/hash.h"

namespace slipway {
namespace {

// Reads the system's randomness a block at a time: one system call serves many ids.
class SystemRandom final : public Random {
 public:
  std::uint64_t next() override {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }

 private:
  void refill() {
    const std::size_t wanted = sizeof(block_);
    ssize_t got = 0;
    do {
      got = ::getrandom(block_.data(), wanted, 0);
    } while (got < 0 && errno == EINTR);
    // getrandom never gives less than 256 bytes in part; an id of zeros would be worse than a
    // crash.
    SLIPWAY_ASSERT(got == static_cast<ssize_t>(wanted));
    used_ = 0;
  }

  std::array<std::uint64_t, 32> block_{};
  std::size_t used_ = 32;
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;  // its sequence is fixed by the standard
};

}  // namespace

std::uint64_t Random::below(std::uint64_t bound) {
  SLIPWAY_ASSERT(bound > 0);
  // Draws from the incomplete last round would favour small results, so they are drawn again.
  const std::uint64_t unfair = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < unfair) drawn = next();
  return drawn % bound;
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::string Random::uuid() {
  const std::uint64_t high = (next() & ~0xF000ULL) | 0x4000ULL;
  const std::uint64_t low = (next() & ~(3ULL << 62)) | (2ULL << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFF'FFFF'FFFF);
}

std::string Random::suffix(int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += kSafeAlphabet[below(kSafeAlphabet.size())];
  return text;
}

std::unique_ptr<Random> system_random() { return std::make_unique<SystemRandom>(); }

std::unique_ptr<Random> seeded_random(std::uint64_t seed) {
  return std::make_unique<SeededRandom>(seed);
}

}  // namespace slipway
