#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace slipway {

// Collects the paths of repeated keys, each once, as many as anybody will read. Private to base/.
class RepeatedKeys {
 public:
  explicit RepeatedKeys(std::vector<std::string>* paths) : paths_(paths) {}

  // False once enough have been found, or when nobody asked.
  bool wanted() const { return paths_ && paths_->size() < kMaxPaths && bytes_ < kMaxBytes; }
  void add(std::string path) {
    bytes_ += path.size();
    if (std::find(paths_->begin(), paths_->end(), path) == paths_->end()) {
      paths_->push_back(std::move(path));
    }
  }

 private:
  static constexpr std::size_t kMaxPaths = 100;
  // One path may be as long as the document, so their number alone bounds nothing.
  static constexpr std::size_t kMaxBytes = 64 * 1024;

  std::vector<std::string>* paths_;
  std::size_t bytes_ = 0;
};

}  // namespace slipway
