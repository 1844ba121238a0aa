#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "lang/template/value.h"

// Constants of a template: Go's untyped numbers, given the type their spelling asks for.
namespace slipway::lang::go {

enum class NumberSyntax { kPlain, kChar, kComplex };

// int, float64 or complex128. Nothing when it is an integer that only a uint64 holds: that is
// refused when it is evaluated, not before. The error is the text Go gives.
using Constant = std::optional<Value>;
std::expected<Constant, std::string> parse_number(std::string_view text, NumberSyntax syntax);

// strconv.ParseFloat: underscores, hexadecimal, an error when it is too large.
std::expected<double, std::string> parse_float(std::string_view text);
// strconv.ParseUint with base 0; nothing when malformed or out of range.
std::optional<std::uint64_t> parse_uint(std::string_view text);

}  // namespace slipway::lang::go
