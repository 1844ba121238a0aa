#include "server/proto_writer.h"

#include <bit>

namespace slipway::server {
namespace {
constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kBytes = 2;
}  // namespace

void ProtoWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    out_ += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  out_ += static_cast<char>(value);
}

void ProtoWriter::key(int field, unsigned wire_type) {
  varint(static_cast<std::uint64_t>(field) << 3 | wire_type);
}

void ProtoWriter::message(int field, std::string_view encoded) {
  key(field, kBytes);
  varint(encoded.size());
  out_ += encoded;
}

void ProtoWriter::text(int field, std::string_view value) {
  if (!value.empty()) message(field, value);
}

void ProtoWriter::boolean(int field, bool value) {
  if (value) integer(field, 1);
}

void ProtoWriter::integer(int field, std::int64_t value) {
  if (value == 0) return;
  key(field, kVarint);
  varint(static_cast<std::uint64_t>(value));
}

void ProtoWriter::number(int field, double value) {
  if (value == 0) return;
  key(field, kFixed64);
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i) out_ += static_cast<char>(bits >> (8 * i) & 0xff);
}

}  // namespace slipway::server
