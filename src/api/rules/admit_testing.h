#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

// For tests of what is admitted: objects in, findings out.
namespace slipway::api {

using Lines = std::vector<std::string>;

inline json::Object parse(std::string_view text) {
  Result<json::Value> value = json::read(text);
  EXPECT_TRUE(value.has_value() && value->is_object()) << text;
  return value ? std::move(value->get_object()) : json::Object();
}

// A line per finding, "field: message"; the message alone where it is about no field.
inline Lines findings_of(const Result<>& admitted) {
  Lines findings;
  if (admitted) return findings;
  if (admitted.error().causes.empty()) findings.push_back(admitted.error().message);
  for (const Cause& cause : admitted.error().causes)
    findings.push_back(cause.field + ": " + cause.message);
  return findings;
}

}  // namespace slipway::api
