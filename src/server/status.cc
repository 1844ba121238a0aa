#include "server/status.h"

#include <fmt/format.h>

#include <optional>

#include "base/json.h"
#include "store/expired_list.h"

namespace slipway::server {
namespace {

struct Row {
  int status;
  std::string_view reason;
};

Row row_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return {422, "Invalid"};
    case ErrorCode::kBadRequest:
      return {400, "BadRequest"};
    case ErrorCode::kNotFound:
      return {404, "NotFound"};
    case ErrorCode::kAlreadyExists:
      return {409, "AlreadyExists"};
    case ErrorCode::kConflict:
      return {409, "Conflict"};
    case ErrorCode::kExpired:
      return {410, "Expired"};
    case ErrorCode::kUnauthorized:
      return {401, "Unauthorized"};
    case ErrorCode::kForbidden:
      return {403, "Forbidden"};
    case ErrorCode::kMethodNotAllowed:
      return {405, "MethodNotAllowed"};
    case ErrorCode::kNotAcceptable:
      return {406, "NotAcceptable"};
    case ErrorCode::kUnsupportedMedia:
      return {415, "UnsupportedMediaType"};
    case ErrorCode::kTooLarge:
      return {413, "RequestEntityTooLarge"};
    case ErrorCode::kTooManyRequests:
      return {429, "TooManyRequests"};
    case ErrorCode::kUnavailable:
      return {503, "ServiceUnavailable"};
    case ErrorCode::kNoSpace:
      return {507, "InsufficientStorage"};
    case ErrorCode::kTimeout:
      return {504, "Timeout"};
    // The client has gone, or the server is stopping: whoever still reads it may ask another time.
    case ErrorCode::kCancelled:
      return {503, "ServiceUnavailable"};
    case ErrorCode::kInternal:
      break;
  }
  return {500, "InternalError"};
}

// `word[.group]` where group may have dots: as GroupResource and GroupKind print.
void split_group(std::string_view word, Subject& subject) {
  auto dot = word.find('.');
  subject.kind = word.substr(0, dot);
  if (dot != std::string_view::npos) subject.group = word.substr(dot + 1);
}

json::Array causes_of(const Error& error) {
  json::Array causes;
  if (!store::resume_token(error).empty()) return causes;
  for (const auto& cause : error.causes) {
    json::Object entry;
    if (!cause.reason.empty()) entry["reason"] = cause.reason;
    if (!cause.message.empty()) entry["message"] = cause.message;
    if (!cause.field.empty()) entry["field"] = cause.field;
    causes.push_back(std::move(entry));
  }
  return causes;
}

std::optional<json::Object> details_of(const Error& error, const std::string& message) {
  json::Object details;
  auto subject = subject_of(message);
  if (!subject.name.empty()) details["name"] = subject.name;
  if (!subject.group.empty()) details["group"] = subject.group;
  if (!subject.kind.empty()) details["kind"] = subject.kind;
  if (auto causes = causes_of(error); !causes.empty()) details["causes"] = std::move(causes);
  if (error.code == ErrorCode::kTooManyRequests || error.code == ErrorCode::kTimeout)
    details["retryAfterSeconds"] = kRetryAfterSeconds;
  bool always = error.code == ErrorCode::kForbidden || error.code == ErrorCode::kNotFound ||
                error.code == ErrorCode::kMethodNotAllowed || error.code == ErrorCode::kInvalid;
  if (details.empty() && !always) return std::nullopt;
  return details;
}

json::Object status_object(std::string_view status) {
  return {
      {"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", json::Object()}, {"status", status}};
}

}  // namespace

int http_status(ErrorCode code) { return row_of(code).status; }
std::string_view reason_of(ErrorCode code) { return row_of(code).reason; }

Subject subject_of(std::string_view message) {
  constexpr std::string_view kConflict = "Operation cannot be fulfilled on ";
  if (message.starts_with(kConflict)) message.remove_prefix(kConflict.size());
  constexpr std::string_view kDeleting = "object is being deleted: ";
  if (message.starts_with(kDeleting)) message.remove_prefix(kDeleting.size());
  auto space = message.find(' ');
  if (space == std::string_view::npos) return {};
  auto word = message.substr(0, space);
  auto rest = message.substr(space + 1);
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/") !=
      std::string_view::npos)
    return {};
  Subject subject;
  if (rest.starts_with('"')) {
    auto end = rest.find('"', 1);
    if (end == std::string_view::npos) return {};
    subject.name = rest.substr(1, end - 1);
    rest = rest.substr(end + 1);
    if (!rest.starts_with(" not found") && !rest.starts_with(" already exists") &&
        !rest.starts_with(" is ") && !rest.starts_with(":"))
      return {};
  } else if (!rest.starts_with("is forbidden:")) {
    return {};
  }
  split_group(word, subject);
  return subject;
}

std::string failure_status(const Error& error) {
  std::string message = error.text();
  auto status = status_object("Failure");
  // As kube-apiserver passes on errors that have no status of their own: clients look for the
  // words.
  if (error.code == ErrorCode::kInternal) {
    status["message"] = message;
    status["code"] = http_status(error.code);
    return json::write(status) + "\n";
  }
  if (auto token = store::resume_token(error); !token.empty())
    status["metadata"] = json::Object{{"continue", token}};
  status["message"] = message;
  status["reason"] = reason_of(error.code);
  if (auto details = details_of(error, message)) status["details"] = std::move(*details);
  status["code"] = http_status(error.code);
  return json::write(status) + "\n";
}

http::Response failure(const Error& error) {
  auto response = json_response(http_status(error.code), failure_status(error));
  if (error.code == ErrorCode::kTooManyRequests || error.code == ErrorCode::kTimeout)
    response.headers.set("Retry-After", fmt::format("{}", kRetryAfterSeconds));
  return response;
}

std::string success_status(const Subject& subject, std::string_view uid) {
  auto status = status_object("Success");
  json::Object details;
  if (!subject.name.empty()) details["name"] = subject.name;
  if (!subject.group.empty()) details["group"] = subject.group;
  details["kind"] = subject.kind;
  if (!uid.empty()) details["uid"] = uid;
  status["details"] = std::move(details);
  return json::write(status) + "\n";
}

http::Response json_response(int status, std::string body) {
  http::Response response{.status = status, .body = std::move(body)};
  response.headers.set("Content-Type", "application/json");
  return response;
}

http::Response text_response(int status, std::string body) {
  http::Response response{.status = status, .body = std::move(body)};
  response.headers.set("Content-Type", "text/plain; charset=utf-8");
  response.headers.set("X-Content-Type-Options", "nosniff");
  return response;
}

http::Response unknown_path() { return text_response(404, "404 page not found\n"); }

}  // namespace slipway::server
