#include "base/error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace slipway {

std::string Error::text() const {
  return where.empty() ? message : fmt::format("{}: {}", where, message);
}

std::unexpected<Error> fail(ErrorCode code, std::string message, std::string where) {
  return std::unexpected(
      Error{.code = code, .message = std::move(message), .where = std::move(where)});
}

std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kBadRequest:
      return "bad_request";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kExpired:
      return "expired";
    case ErrorCode::kUnauthorized:
      return "unauthorized";
    case ErrorCode::kForbidden:
      return "forbidden";
    case ErrorCode::kMethodNotAllowed:
      return "method_not_allowed";
    case ErrorCode::kNotAcceptable:
      return "not_acceptable";
    case ErrorCode::kUnsupportedMedia:
      return "unsupported_media";
    case ErrorCode::kTooLarge:
      return "too_large";
    case ErrorCode::kTooManyRequests:
      return "too_many_requests";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kNoSpace:
      return "no_space";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

void assertion_failed(const char* text, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, text);
  std::abort();
}

}  // namespace slipway
