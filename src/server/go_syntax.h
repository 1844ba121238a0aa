#pragma once

#include <string>
#include <string_view>

namespace slipway::server {

// What Go's encoding/json says of a text that is no JSON: "invalid character 'n' looking for
// beginning of object key string", "unexpected end of JSON input". Empty when it finds nothing.
std::string go_syntax_error(std::string_view text);

}  // namespace slipway::server
