#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

// Argument maps of the dialects: names with texts.
namespace slipway::lang {

// A scalar as text: 1 is "1", null is empty. kInvalid for lists and objects, `where` names it.
Result<std::string> scalar_text(const json::Value& value, std::string where);

// The object under `key` with each value as text; empty when it is missing or null.
Result<json::Object> scalar_texts(const json::Object& data, std::string_view key);

}  // namespace slipway::lang
