#pragma once

#include <string>

#include "base/json.h"

namespace slipway::server {

// A Swagger 2.0 document as gnostic's openapi.v2.Document message, which kubectl asks of
// /openapi/v2 and nothing else. Field numbers are those of gnostic-models' OpenAPIv2.proto. What
// kubectl does not read (security, external documentation, XML, examples) is left out.
std::string swagger_to_proto(const json::Value& document);

}  // namespace slipway::server
