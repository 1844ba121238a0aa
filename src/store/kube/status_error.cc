#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "store/expired_list.h"
#include "store/kube/connection.h"

namespace slipway::store::kube {

namespace {

struct ReasonRow {
  std::string_view reason;
  ErrorCode code;
};
constexpr std::array kReasons = {
    ReasonRow{"NotFound", ErrorCode::kNotFound},
    ReasonRow{"AlreadyExists", ErrorCode::kAlreadyExists},
    ReasonRow{"Conflict", ErrorCode::kConflict},
    ReasonRow{"Expired", ErrorCode::kExpired},
    ReasonRow{"Gone", ErrorCode::kExpired},
    ReasonRow{"Invalid", ErrorCode::kInvalid},
    ReasonRow{"BadRequest", ErrorCode::kBadRequest},
    ReasonRow{"Unauthorized", ErrorCode::kUnauthorized},
    ReasonRow{"Forbidden", ErrorCode::kForbidden},
    ReasonRow{"MethodNotAllowed", ErrorCode::kMethodNotAllowed},
    ReasonRow{"NotAcceptable", ErrorCode::kNotAcceptable},
    ReasonRow{"UnsupportedMediaType", ErrorCode::kUnsupportedMedia},
    ReasonRow{"RequestEntityTooLarge", ErrorCode::kTooLarge},
    ReasonRow{"TooManyRequests", ErrorCode::kTooManyRequests},
    ReasonRow{"ServiceUnavailable", ErrorCode::kUnavailable},
    ReasonRow{"ServerTimeout", ErrorCode::kUnavailable},
    ReasonRow{"Timeout", ErrorCode::kTimeout},
    ReasonRow{"InsufficientStorage", ErrorCode::kNoSpace},
};

struct StatusRow {
  int status;
  ErrorCode code;
};
constexpr std::array kStatuses = {
    StatusRow{400, ErrorCode::kBadRequest},       StatusRow{401, ErrorCode::kUnauthorized},
    StatusRow{403, ErrorCode::kForbidden},        StatusRow{404, ErrorCode::kNotFound},
    StatusRow{405, ErrorCode::kMethodNotAllowed}, StatusRow{406, ErrorCode::kNotAcceptable},
    StatusRow{408, ErrorCode::kTimeout},          StatusRow{409, ErrorCode::kConflict},
    StatusRow{410, ErrorCode::kExpired},          StatusRow{413, ErrorCode::kTooLarge},
    StatusRow{415, ErrorCode::kUnsupportedMedia}, StatusRow{422, ErrorCode::kInvalid},
    StatusRow{429, ErrorCode::kTooManyRequests},  StatusRow{502, ErrorCode::kUnavailable},
    StatusRow{503, ErrorCode::kUnavailable},      StatusRow{504, ErrorCode::kTimeout},
    StatusRow{507, ErrorCode::kNoSpace},
};

// etcd's refusals reach us as internal errors of the API server.
struct EtcdRow {
  std::string_view words;
  ErrorCode code;
};
constexpr std::array kEtcd = {
    EtcdRow{"etcdserver: mvcc: database space exceeded", ErrorCode::kNoSpace},
    EtcdRow{"etcdserver: request is too large", ErrorCode::kTooLarge},
    EtcdRow{"etcdserver: mvcc: required revision has been compacted", ErrorCode::kExpired},
    EtcdRow{"etcdserver: leader changed", ErrorCode::kUnavailable},
    EtcdRow{"etcdserver: request timed out", ErrorCode::kUnavailable},
};

ErrorCode code_of(int status) {
  auto row = std::ranges::find(kStatuses, status, &StatusRow::status);
  if (row != kStatuses.end()) return row->code;
  return status >= 400 && status < 500 ? ErrorCode::kBadRequest : ErrorCode::kInternal;
}

ErrorCode code_of(std::string_view reason, int status, std::string_view message) {
  auto row = std::ranges::find(kReasons, reason, &ReasonRow::reason);
  ErrorCode code = row != kReasons.end() ? row->code : code_of(status);
  if (code != ErrorCode::kInternal) return code;
  for (const EtcdRow& etcd : kEtcd) {
    if (message.find(etcd.words) != std::string_view::npos) return etcd.code;
  }
  return code;
}

Error error_of_status(const json::Value& status, int http_status) {
  if (const json::Value* code = json::at(status, {"code"}); code && code->is_int64()) {
    if (code->get_int64() >= 400 && code->get_int64() < 600) {
      http_status = static_cast<int>(code->get_int64());
    }
  }
  std::string_view reason = json::string_at(status, {"reason"});
  Error error{.message = std::string(json::string_at(status, {"message"}))};
  error.code = code_of(reason, http_status, error.message);
  if (error.message.empty()) {
    error.message = fmt::format("the API server answered {} {}", http_status, reason);
  }
  if (std::string_view token = json::string_at(status, {"metadata", "continue"});
      error.code == ErrorCode::kExpired && !token.empty()) {
    return expired_list(std::string(token)).error();
  }
  const json::Value* causes = json::at(status, {"details", "causes"});
  if (!causes || !causes->is_array()) return error;
  for (const json::Value& cause : causes->get_array()) {
    error.causes.push_back({.reason = std::string(json::string_at(cause, {"reason"})),
                            .message = std::string(json::string_at(cause, {"message"})),
                            .field = std::string(json::string_at(cause, {"field"}))});
    // A version of another life of the cluster: waiting for it would miss what happens until then.
    if (error.causes.back().reason == "ResourceVersionTooLarge") error.code = ErrorCode::kExpired;
  }
  return error;
}

}  // namespace

Error error_of_status(const json::Value& status) { return error_of_status(status, 500); }

Error error_of(const http::Response& response) {
  Result<json::Value> body = json::read(response.body);
  if (body && json::string_at(*body, {"kind"}) == "Status") {
    return error_of_status(*body, response.status);
  }
  // Not from an API server but from something before it, which may answer with a page.
  constexpr std::size_t kMaxQuoted = 200;
  std::string_view first(response.body);
  first = first.substr(0, std::min(first.find('\n'), kMaxQuoted));
  return {.code = code_of(response.status),
          .message = fmt::format("the server answered {}{}{}", response.status,
                                 first.empty() ? "" : ": ", http::printable_line(first))};
}

}  // namespace slipway::store::kube
