#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "rollout/settings.h"

// Single fields out of documents of other kinds. What is missing or of another type is as if it
// were not there. Pure.
namespace slipway::rollout {

using FieldPath = std::initializer_list<std::string_view>;

std::optional<std::int64_t> parse_number(std::string_view text);
std::int64_t number_at(const json::Value& document, FieldPath path, std::int64_t fallback = 0);
Count count_at(const json::Value& document, FieldPath path, Count fallback = 0);
std::optional<Time> time_at(const json::Value& document, FieldPath path);
std::map<std::string, std::string> texts_at(const json::Value& document, FieldPath path);
std::string label_of(const json::Object& object, std::string_view key);

}  // namespace slipway::rollout
