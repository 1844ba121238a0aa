#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway::server {

// Writes the fields of one protobuf message. Empty strings, false and zero are left out, as proto3
// does.
class ProtoWriter {
 public:
  void text(int field, std::string_view value);
  // A message or bytes, also when empty.
  void message(int field, std::string_view encoded);
  void boolean(int field, bool value);
  void integer(int field, std::int64_t value);
  void number(int field, double value);

  std::string take() { return std::move(out_); }

 private:
  void key(int field, unsigned wire_type);
  void varint(std::uint64_t value);

  std::string out_;
};

}  // namespace slipway::server
