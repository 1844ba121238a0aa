#include "api/wire/proto_wire.h"

#include <fmt/format.h>

namespace slipway::api {

namespace {

constexpr unsigned kMaxVarintBytes = 10;
constexpr std::uint64_t kMaxFieldNumber = (1U << 29) - 1;

std::unexpected<Error> malformed(std::string message) {
  return fail(ErrorCode::kBadRequest, "protobuf: " + std::move(message));
}

}  // namespace

Result<std::uint64_t> WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < kMaxVarintBytes; ++i) {
    if (i == rest_.size()) return malformed("unexpected end of a number");
    auto byte = static_cast<unsigned char>(rest_[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    rest_.remove_prefix(i + 1);
    return value;
  }
  return malformed("a number of more than 64 bits");
}

Result<std::uint64_t> WireReader::fixed(std::size_t size) {
  if (rest_.size() < size) return malformed("unexpected end of a number");
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  rest_.remove_prefix(size);
  return value;
}

Result<WireField> WireReader::next() {
  auto key = varint();
  if (!key) return std::unexpected(key.error());
  std::uint64_t number = *key >> 3;
  if (number == 0 || number > kMaxFieldNumber)
    return malformed(fmt::format("{} is no field number", number));
  WireField field{.number = static_cast<std::uint32_t>(number)};
  auto type = static_cast<unsigned>(*key & 7);
  field.type = static_cast<WireType>(type);
  if (type > 2 && field.type != WireType::kFixed32)
    return malformed(fmt::format("field {} has wire type {}", number, type));
  auto value = field.type == WireType::kFixed64   ? fixed(8)
               : field.type == WireType::kFixed32 ? fixed(4)
                                                  : varint();
  if (!value) return std::unexpected(value.error());
  if (field.type != WireType::kBytes) return (field.value = *value, field);
  if (*value > rest_.size())
    return malformed(
        fmt::format("field {} has {} bytes, of which {} are there", number, *value, rest_.size()));
  field.bytes = rest_.substr(0, *value);
  rest_.remove_prefix(*value);
  return field;
}

}  // namespace slipway::api
