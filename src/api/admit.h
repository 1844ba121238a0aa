#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/patch/patch_words.h"
#include "api/registry.h"
#include "api/rules/validate.h"

namespace slipway::api {

// Where the object comes from decides how its decoding errors are worded.
enum class Source : std::uint8_t { kBody, kPatch };

// The way of every written object into a store, the same for create, update and patch: decode,
// default, prepare, validate.
//
// In place. Fields nobody knows are removed; what becomes of them is `unknown`: kStrict refuses
// (kBadRequest, `strict decoding error: unknown field "spec.foo"`), kWarn lists them in `warnings`,
// kIgnore says nothing. `duplicates` are paths of repeated keys in the request's text, treated
// alike. Values of a wrong type are kBadRequest for native kinds, worded as Go's decoder words
// them, and kInvalid for the others. kTooLarge when the defaults of its schema would make too much
// of it. Everything else that is wrong is one kInvalid with all its causes.
//
// `old` is null on create. The name must be set by then (generateName is the store's matter), and
// for an update of the status or scale subresource `object` is already the whole object. Native
// kinds end up as Go would write them: empty optional fields are left out, plain ones are there
// (`resources: {}`).
//
// `defaulted` sees the object between defaulting and preparation, when it is what the request asks
// for and nothing else: the moment to note who owns which field (track_update).
//
// `words` are for messages about a patch.
Result<> admit(json::Object& object, const json::Object* old, const Resource& resource,
               Unknown unknown, const std::vector<std::string>& duplicates,
               std::vector<std::string>& warnings, Source source = Source::kBody,
               const std::function<void(json::Object&)>& defaulted = {},
               const PatchWords& words = {});

}  // namespace slipway::api
