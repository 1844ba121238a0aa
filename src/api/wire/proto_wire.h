#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace slipway::api {

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One field of a protobuf message as it stands on the wire.
struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;      // varints and fixed numbers
  std::string_view bytes = {};  // kBytes: text, bytes, messages and packed numbers
};

// Walks the fields of one protobuf message in the order they were written. The text must outlive
// the reader and the fields it hands out. Groups, which Kubernetes never had, are refused.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  bool done() const { return rest_.empty(); }
  // Errors: kBadRequest when the message ends too early or is none.
  Result<WireField> next();
  // A bare number, as in packed lists.
  Result<std::uint64_t> varint();

 private:
  Result<std::uint64_t> fixed(std::size_t size);

  std::string_view rest_;
};

}  // namespace slipway::api
