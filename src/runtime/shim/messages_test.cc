#include "runtime/shim/messages.h"

#include <gtest/gtest.h>

namespace slipway::runtime {

namespace {

TEST(ShimMessage, RequestsReadBack) {
  const auto read = parse_request(write_request({.kind = Request::Kind::kExec,
                                                 .container = "main",
                                                 .argv = {"a", "b\n"},
                                                 .time = std::chrono::seconds(3),
                                                 .message = "m"}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, Request::Kind::kExec);
  EXPECT_EQ(read->container, "main");
  EXPECT_EQ(read->argv, (std::vector<std::string>{"a", "b\n"}));
  EXPECT_EQ(read->time, std::chrono::seconds(3));
  EXPECT_EQ(read->message, "m");
}

TEST(ShimMessage, RefusesUnknownRequests) {
  for (const char* line : {"", "{", "3", "{}", R"({"do":"dance"})", R"({"do":"stop","time":"x"})"})
    EXPECT_FALSE(parse_request(line)) << line;
}

TEST(ShimMessage, AnswersKeepTheCodeOfTheError) {
  const auto ok = parse_answer(write_answer(json::Value(7)));
  ASSERT_TRUE(ok);
  EXPECT_EQ(*ok, json::Value(7));
  const auto missing = parse_answer(write_answer(fail(ErrorCode::kNotFound, "no \"x\"")));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message, "no \"x\"");
  EXPECT_FALSE(parse_answer("nonsense"));
}

}  // namespace

}  // namespace slipway::runtime
