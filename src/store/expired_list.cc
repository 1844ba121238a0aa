#include "store/expired_list.h"

namespace slipway::store {

namespace {
constexpr std::string_view kContinue = "Continue";
}  // namespace

std::unexpected<Error> expired_list(std::string resume_token) {
  Error error{ErrorCode::kExpired,
              "The provided continue parameter is too old to display a consistent list result. You "
              "can start a new list without the continue parameter, or use the continue token in "
              "this response to retrieve the remainder of the results. Continuing with the "
              "provided token results in an inconsistent list - objects that were created, "
              "modified, or deleted between the time the first chunk was returned and now may show "
              "up in the list.",
              {},
              {}};
  error.causes.push_back(
      {.reason = std::string(kContinue), .message = std::move(resume_token), .field = {}});
  return fail(std::move(error));
}

std::string_view resume_token(const Error& error) {
  if (error.code != ErrorCode::kExpired) return {};
  for (const Cause& cause : error.causes) {
    if (cause.reason == kContinue) return cause.message;
  }
  return {};
}

}  // namespace slipway::store
