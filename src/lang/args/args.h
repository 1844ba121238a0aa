#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

// Argo's substitution: {{args.x}}, {{templates.canary.podTemplateHash}},
// {{experiment.availableAt}}. Nothing but names: no pipelines, no conditions, and what is put in is
// not looked at again.
namespace slipway::lang {

// All texts of one value together, after substitution.
inline constexpr std::size_t kMaxSubstituted = 3 * 1024 * 1024;

// What a tag stands for, under its whole name ("args.port"); an argument that was declared and got
// no value has none.
using Tags = std::map<std::string, std::optional<std::string>, std::less<>>;

// Blanks around a name do not matter. Errors (kInvalid), in Argo's words:
//   Cannot find end tag="}}" in the template="…" starting from "…"
//   argument "x" was not supplied        it is used, and has no value
//   failed to resolve {{x}}              nobody declared it; of several, the last
// kTooLarge over kMaxSubstituted.
Result<std::string> substitute(std::string_view text, const Tags& tags);

// The same in every text of a JSON value, keys included. Values are put in as they are: quotes and
// newlines in them never break the JSON around them. `where` of an error is the field.
Result<json::Value> substitute_all(const json::Value& value, const Tags& tags);

// From {"args":{"x":"1","declared":null},"templates":{"canary":{"podTemplateHash":…,"replicaset":
// {"name":…}}},"experiment":{"availableAt":…,"finishedAt":…}}. Scalars are taken as text, other
// keys are passed over; kInvalid when a value is a list.
Result<Tags> read_tags(const json::Object& data);

}  // namespace slipway::lang
