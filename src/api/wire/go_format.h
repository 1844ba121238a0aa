#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

// JSON values in Go's words, for messages that must read as Kubernetes writes them. Values stand
// for what Go's decoder makes of them: map[string]interface {}, []interface {}, string, int64,
// float64, bool, nil.
namespace slipway::api {

std::string go_quoted(std::string_view text);        // %q
std::string go_plain(const json::Value& value);      // %v:  map[a:1 b:[x y]]
std::string go_syntax(const json::Value& value);     // %#v: map[string]interface {}{"a":1}
std::string_view go_type(const json::Value& value);  // %T:  map[string]interface {}
std::string_view json_type(
    const json::Value& value);  // as encoding/json names it in errors: object, array, number
// As structured-merge-diff prints the values of keys: strings with %q, `[1,"y"]`, `x=1`, null.
std::string go_key(const json::Value& value);

}  // namespace slipway::api
