#pragma once

#include <optional>
#include <string>

#include "api/schema/schema.h"

// Objects of Kubernetes' own kinds pass through Go structs. What that does to them, on the way in
// and on the way out.
namespace slipway::api {

// Decodes as sigs.k8s.io/json does: nulls and the like go, times and quantities take their
// canonical form. The first value of a wrong type is the answer, in the decoder's words; the object
// is then half changed.
std::optional<std::string> go_decode(json::Object& object, const Schema& schema);

// The first value of a wrong type in the words of apimachinery's converter, which restores structs
// from maps after a strategic patch. Types that decode themselves (times, quantities) are left to
// go_decode.
std::optional<std::string> restore_problem(const json::Object& object, const Schema& schema);

// Encodes as encoding/json does: what is empty and omitempty goes, zero values that Go always
// writes come.
void go_encode(json::Object& object, const Schema& schema);

}  // namespace slipway::api
