#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

// Failures and successes as Kubernetes' Status says them.
namespace slipway::server {

// The one table from error codes to HTTP.
int http_status(ErrorCode code);
std::string_view reason_of(ErrorCode code);

// What a message in Kubernetes' wording is about: `rollouts.argoproj.io "web" not found`. Empty
// parts when it is about nothing in particular.
struct Subject {
  std::string name;
  std::string group;
  std::string kind;  // the plural, or the kind of an invalid object
};
Subject subject_of(std::string_view message);

// {"kind":"Status",…} with code, reason, details and causes.
std::string failure_status(const Error& error);
http::Response failure(const Error& error);

// What DELETE answers when the object is gone.
std::string success_status(const Subject& subject, std::string_view uid);

// An answer with a JSON body.
http::Response json_response(int status, std::string body);
http::Response text_response(int status, std::string body);

// The answer for paths that are not served: plain text, as kube-apiserver's; kubectl words the rest
// itself.
http::Response unknown_path();

inline constexpr int kRetryAfterSeconds = 1;

}  // namespace slipway::server
