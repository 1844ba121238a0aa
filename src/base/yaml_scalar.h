#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

// What unquoted YAML text means, by the rules of go-yaml v2 (YAML 1.1 with its own corrections).
// Private to base/.
namespace slipway::yaml {

// Null, boolean, integer, double, else the text itself. Infinities and NaN are doubles.
json::Value resolve_plain(std::string_view text);

// A scalar with an explicit tag ("tag:yaml.org,2002:int"). The error has no position.
Result<json::Value> resolve_tagged(std::string_view tag, std::string_view text);

// The string a JSON object has as key for this scalar: 1 is "1", true is "true". Error for null.
Result<std::string> key_text(const json::Value& scalar);

// Whether a string written without quotes is read back as something else, here or by another
// YAML 1.1 reader: "12", "yes", "2026-01-02", "1:30".
bool needs_quotes(std::string_view text);

}  // namespace slipway::yaml
