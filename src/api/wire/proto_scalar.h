#pragma once

#include "api/schema/schema.h"
#include "api/wire/proto_wire.h"

namespace slipway::api {

// A value that is neither object, map nor list. `max_depth` limits the free JSON of kAny. Errors:
// kBadRequest.
Result<json::Value> read_proto_scalar(const WireField& wire, Shape shape, std::size_t max_depth);

// What a map holds under a key whose entry has no value.
json::Value proto_zero(Shape shape);

// The field must have this wire type.
Result<> expect_wire(const WireField& wire, WireType type);

}  // namespace slipway::api
