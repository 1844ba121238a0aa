#include "api/wire/proto_scalar.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>

#include "base/base64.h"
#include "base/time.h"
#include "base/utf8.h"

namespace slipway::api {

namespace {

constexpr std::int64_t kMaxSeconds =
    std::chrono::duration_cast<std::chrono::seconds>(std::chrono::nanoseconds::max()).count() - 1;

std::int64_t signed_of(const WireField& wire) { return static_cast<std::int64_t>(wire.value); }

// Times end at seconds or at microseconds: Go drops the rest, so that both forms of an object
// compare equal.
Result<json::Value> read_time(std::string_view message, bool micro) {
  if (message.empty()) return json::Value(nullptr);
  std::int64_t seconds = 0, nanos = 0;
  for (WireReader reader(message); !reader.done();) {
    auto field = reader.next();
    if (!field) return std::unexpected(field.error());
    if (field->number == 1) seconds = signed_of(*field);
    if (field->number == 2) nanos = static_cast<std::int32_t>(field->value);
  }
  if (seconds > kMaxSeconds || seconds < -kMaxSeconds || nanos < 0 || nanos > 999'999'999)
    return fail(ErrorCode::kBadRequest,
                fmt::format("protobuf: {} seconds and {} nanoseconds is no time", seconds, nanos));
  Time time{std::chrono::seconds(seconds)};
  if (!micro) return json::Value(format_time(time));
  return json::Value(format_micro_time(time + std::chrono::nanoseconds(nanos)));
}

Result<json::Value> read_double(std::uint64_t bits) {
  auto number = std::bit_cast<double>(bits);
  if (!std::isfinite(number))
    return fail(ErrorCode::kBadRequest, fmt::format("protobuf: {} has no JSON form", number));
  return json::Value(number);
}

Result<json::Value> read_int_or_string(std::string_view message) {
  bool is_text = false;
  std::int64_t number = 0;
  std::string_view text;
  for (WireReader reader(message); !reader.done();) {
    auto field = reader.next();
    if (!field) return std::unexpected(field.error());
    if (field->number == 1) is_text = field->value != 0;
    if (field->number == 2) number = static_cast<std::int32_t>(field->value);
    if (field->number == 3) text = field->bytes;
  }
  return is_text ? json::Value(utf8::repaired(text)) : json::Value(number);
}

// The one text or the one run of bytes that a message wraps.
Result<std::string_view> unwrapped(std::string_view message) {
  std::string_view inner;
  for (WireReader reader(message); !reader.done();) {
    auto field = reader.next();
    if (!field) return std::unexpected(field.error());
    if (field->number == 1) inner = field->bytes;
  }
  return inner;
}

Result<json::Value> read_quantity(std::string_view message) {
  auto text = unwrapped(message);
  if (!text) return std::unexpected(text.error());
  return json::Value(text->empty() ? "0" : utf8::repaired(*text));
}

Result<json::Value> read_free(std::string_view message, std::size_t max_depth) {
  auto text = unwrapped(message);
  if (!text) return std::unexpected(text.error());
  if (text->empty()) return json::Value(nullptr);
  return json::read(*text, {.max_depth = max_depth});
}

WireType wire_of(Shape shape) {
  switch (shape) {
    case Shape::kInt32:
    case Shape::kInt64:
    case Shape::kBool:
      return WireType::kVarint;
    case Shape::kDouble:
      return WireType::kFixed64;
    default:
      return WireType::kBytes;
  }
}

}  // namespace

Result<> expect_wire(const WireField& wire, WireType type) {
  if (wire.type == type) return {};
  return fail(ErrorCode::kBadRequest,
              fmt::format("protobuf: field {} has wire type {}, not {}", wire.number,
                          static_cast<int>(wire.type), static_cast<int>(type)));
}

Result<json::Value> read_proto_scalar(const WireField& wire, Shape shape, std::size_t max_depth) {
  SLIPWAY_TRY(expect_wire(wire, wire_of(shape)));
  switch (shape) {
    case Shape::kInt32:
      return json::Value(static_cast<std::int64_t>(static_cast<std::int32_t>(wire.value)));
    case Shape::kInt64:
      return json::Value(signed_of(wire));
    case Shape::kBool:
      return json::Value(wire.value != 0);
    case Shape::kDouble:
      return read_double(wire.value);
    case Shape::kBytes:
      return json::Value(base64_encode(wire.bytes));
    case Shape::kTime:
    case Shape::kMicroTime:
      return read_time(wire.bytes, shape == Shape::kMicroTime);
    case Shape::kQuantity:
      return read_quantity(wire.bytes);
    case Shape::kIntOrString:
      return read_int_or_string(wire.bytes);
    case Shape::kAny:
      return read_free(wire.bytes, max_depth);
    default:
      return json::Value(utf8::repaired(wire.bytes));
  }
}

json::Value proto_zero(Shape shape) {
  switch (shape) {
    case Shape::kString:
    case Shape::kBytes:
      return "";
    case Shape::kInt32:
    case Shape::kInt64:
    case Shape::kDouble:
    case Shape::kIntOrString:
      return 0;
    case Shape::kBool:
      return false;
    case Shape::kQuantity:
      return "0";
    case Shape::kObject:
    case Shape::kMap:
      return json::Object();
    case Shape::kList:
      return json::Array();
    default:
      return nullptr;
  }
}

}  // namespace slipway::api
