#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <string_view>

#include "base/json.h"

namespace slipway::json {

// Memory for documents that live and go together: taking is cheap, and all of it is given back at
// once. Whatever is copied from such a document lives here too, so nothing of it may outlive this.
class Scratch {
 public:
  Scratch() : memory_(first_, sizeof(first_)) {}
  Scratch(const Scratch&) = delete;

  // As json::read.
  Result<Value> read(std::string_view text, const ReadOptions& options = {});

 private:
  static constexpr std::size_t kUsualBytes = 32 * 1024;
  unsigned char first_[kUsualBytes];
  boost::json::monotonic_resource memory_;
};

}  // namespace slipway::json
