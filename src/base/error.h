#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

// What went wrong, coarse enough to act on. The code decides retry and HTTP status
// (server/status.cc), one table each.
enum class ErrorCode {
  kInvalid,     // the object or value is wrong; asking again will not help
  kBadRequest,  // the request itself is malformed
  kNotFound,
  kAlreadyExists,
  kConflict,      // somebody else wrote first, or owns the field
  kExpired,       // the version asked for is no longer kept
  kUnauthorized,  // no or wrong credentials
  kForbidden,     // known, but not allowed
  kMethodNotAllowed,
  kNotAcceptable,
  kUnsupportedMedia,
  kTooLarge,
  kTooManyRequests,
  kUnavailable,  // ask again later
  kNoSpace,      // the disk is full: reads go on, writes do not
  kTimeout,
  kCancelled,
  kInternal,
};

// One of several findings behind an error, as Kubernetes lists them in Status.details.causes.
struct Cause {
  std::string reason;   // FieldValueRequired, FieldValueInvalid, FieldManagerConflict, …
  std::string message;  // without the field
  std::string field;    // spec.metrics[0].interval
};

// An expected failure, as a value.
//
// `message` is lower case, without full stop, and holds the offending value and what would be
// right. `where` is the field path the message is about, or empty.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string where = {};
  std::vector<Cause> causes = {};

  // "where: message", or the message alone.
  std::string text() const;
};

template <class T = void>
using Result = std::expected<T, Error>;

// Makes the failure side of a Result: `return fail(ErrorCode::kInvalid, "…");`
std::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {});
std::unexpected<Error> fail(Error error);

std::string_view to_string(ErrorCode code);

// Ends the program when `holds` is false: a bug, not an error. On in release builds.
#define SLIPWAY_ASSERT(holds) \
  ((holds) ? void() : ::slipway::assertion_failed(#holds, __FILE__, __LINE__))
[[noreturn]] void assertion_failed(const char* text, const char* file, int line);

// Returns the failure of `expression` from the calling function, else goes on. In coroutines:
// SLIPWAY_CO_TRY.
#define SLIPWAY_TRY(expression)                                  \
  do {                                                           \
    if (auto slipway_result = (expression); !slipway_result)     \
      return std::unexpected(std::move(slipway_result).error()); \
  } while (false)
#define SLIPWAY_CO_TRY(expression)                                  \
  do {                                                              \
    if (auto slipway_result = (expression); !slipway_result)        \
      co_return std::unexpected(std::move(slipway_result).error()); \
  } while (false)

}  // namespace slipway
