#pragma once

#include <cstddef>

namespace slipway::http {

// What the bodies of all requests that are being read or handled may take together. Outlives what
// is held of it.
class BodyBudget {
 public:
  explicit BodyBudget(std::size_t bytes) : left_(bytes) {}
  BodyBudget(const BodyBudget&) = delete;

 private:
  friend class HeldBody;
  std::size_t left_;
};

// The part of one request, given back at the end of its life.
class HeldBody {
 public:
  explicit HeldBody(BodyBudget& budget) : budget_(budget) {}
  ~HeldBody() { release(); }
  HeldBody(const HeldBody&) = delete;

  // So many bytes in all, never fewer than before. False, and nothing is changed, when there is no
  // room for them.
  bool grow_to(std::size_t bytes) {
    if (bytes - held_ > budget_.left_) return false;
    budget_.left_ -= bytes - held_;
    held_ = bytes;
    return true;
  }
  void release() {
    budget_.left_ += held_;
    held_ = 0;
  }

 private:
  BodyBudget& budget_;
  std::size_t held_ = 0;
};

}  // namespace slipway::http
