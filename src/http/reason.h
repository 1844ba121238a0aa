#pragma once

#include <string_view>

namespace slipway::http {

// The phrase beside a status code: 404 is "Not Found". Empty for codes without one.
std::string_view reason_of(int status);

}  // namespace slipway::http
