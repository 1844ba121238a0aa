#include <gmock/gmock.h>

#include "store/expired_list.h"
#include "store/kube/connection.h"

namespace slipway::store::kube {
namespace {

using testing::HasSubstr;

Error of(int status, std::string body) {
  return error_of(http::Response{.status = status, .body = std::move(body)});
}
std::string status_body(std::string_view reason, int code, std::string_view message = "m") {
  return json::write(
      json::Object{{"kind", "Status"}, {"reason", reason}, {"code", code}, {"message", message}});
}

TEST(StatusError, ReasonDecidesTheCode) {
  const std::tuple<std::string_view, int, ErrorCode> rows[] = {
      {"NotFound", 404, ErrorCode::kNotFound},
      {"AlreadyExists", 409, ErrorCode::kAlreadyExists},
      {"Conflict", 409, ErrorCode::kConflict},
      {"Expired", 410, ErrorCode::kExpired},
      {"Gone", 410, ErrorCode::kExpired},
      {"Invalid", 422, ErrorCode::kInvalid},
      {"BadRequest", 400, ErrorCode::kBadRequest},
      {"Unauthorized", 401, ErrorCode::kUnauthorized},
      {"Forbidden", 403, ErrorCode::kForbidden},
      {"MethodNotAllowed", 405, ErrorCode::kMethodNotAllowed},
      {"NotAcceptable", 406, ErrorCode::kNotAcceptable},
      {"UnsupportedMediaType", 415, ErrorCode::kUnsupportedMedia},
      {"RequestEntityTooLarge", 413, ErrorCode::kTooLarge},
      {"TooManyRequests", 429, ErrorCode::kTooManyRequests},
      {"ServiceUnavailable", 503, ErrorCode::kUnavailable},
      {"ServerTimeout", 500, ErrorCode::kUnavailable},
      {"Timeout", 504, ErrorCode::kTimeout},
      {"InsufficientStorage", 507, ErrorCode::kNoSpace},
      {"InternalError", 500, ErrorCode::kInternal},
      {"", 410, ErrorCode::kExpired},
      {"", 409, ErrorCode::kConflict},
      {"NewReason", 418, ErrorCode::kBadRequest},
  };
  for (const auto& [reason, status, code] : rows) {
    Error error = of(status, status_body(reason, status));
    EXPECT_EQ(to_string(error.code), to_string(code)) << reason << " " << status;
    EXPECT_EQ(error.message, "m");
  }
}

TEST(StatusError, KnowsEtcdsRefusals) {
  EXPECT_EQ(of(500, status_body("", 500, "etcdserver: mvcc: database space exceeded")).code,
            ErrorCode::kNoSpace);
  EXPECT_EQ(of(500, status_body("InternalError", 500, "etcdserver: request is too large")).code,
            ErrorCode::kTooLarge);
}

TEST(StatusError, KeepsCauses) {
  Error error = of(422, R"({"kind":"Status","reason":"Invalid","message":"bad","code":422,"details":
    {"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: -1","field":"spec.replicas"}]}})");
  ASSERT_EQ(error.causes.size(), 1u);
  EXPECT_EQ(error.causes[0].reason, "FieldValueInvalid");
  EXPECT_EQ(error.causes[0].field, "spec.replicas");
  EXPECT_EQ(error.causes[0].message, "Invalid value: -1");
}

TEST(StatusError, AnExpiredListSaysHowToGoOn) {
  Error error = of(410, R"({"kind":"Status","reason":"Expired","message":"too old","code":410,
    "metadata":{"continue":"abc"}})");
  EXPECT_EQ(error.code, ErrorCode::kExpired);
  EXPECT_EQ(resume_token(error), "abc");
}

TEST(StatusError, AVersionOfTheFutureIsExpired) {
  Error error =
      of(504, R"({"kind":"Status","reason":"Timeout","message":"Too large resource version",
    "code":504,"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})");
  EXPECT_EQ(error.code, ErrorCode::kExpired);
}

TEST(StatusError, QuotesTheFirstLineOfWhatIsNoStatus) {
  Error error = of(502, "<html>\nsecond");
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_EQ(error.message, "the server answered 502: <html>");
  EXPECT_EQ(of(500, std::string(10'000, 'x')).message.size(), 225u);
}

}  // namespace
}  // namespace slipway::store::kube
