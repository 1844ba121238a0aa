#pragma once

#include "api/schema/schema.h"

namespace slipway::api {

// What defaults may add to one object, as JSON text. Lists multiply them: a small body can ask for
// ten gigabytes. Twice what an object may have that is kept, so nobody misses the rest.
inline constexpr std::size_t kMaxDefaultBytes = 3 * 1024 * 1024;

// Fills in schema defaults (and nothing else), in place. Errors: kTooLarge when they would add more
// than kMaxDefaultBytes; some of them are there then. set_defaults() of validate.h is the same
// without a word.
Result<> fill_in_defaults(json::Object& object, const Schema& schema);

// For what is on its way out, and must not be held up: all of them, or none where the object would
// be larger by them than one that may be kept. False: none.
bool fill_in_defaults_that_fit(json::Object& object, const Schema& schema);

}  // namespace slipway::api
