#include "base/error.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

TEST(Error, TextNamesTheFieldFirst) {
  const Error with_field{.code = ErrorCode::kInvalid, .message = "is wrong", .where = "spec.a"};
  EXPECT_EQ(with_field.text(), "spec.a: is wrong");
  const Error without{.code = ErrorCode::kInvalid, .message = "is wrong"};
  EXPECT_EQ(without.text(), "is wrong");
}

TEST(Error, EveryCodeHasItsOwnName) {
  EXPECT_EQ(to_string(ErrorCode::kNotFound), "not_found");
  EXPECT_EQ(to_string(ErrorCode::kTooManyRequests), "too_many_requests");
  std::vector<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    const auto name = to_string(static_cast<ErrorCode>(code));
    EXPECT_NE(name, "unknown") << code;
    for (auto earlier : names) EXPECT_NE(name, earlier);
    names.push_back(name);
  }
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::kInvalid, "odd", "number");
  return number / 2;
}

Result<std::string> half_twice(int number) {
  SLIPWAY_TRY(half(number));
  SLIPWAY_TRY(half(number / 2));
  return "even";
}

TEST(Error, TryReturnsTheFirstFailure) {
  EXPECT_EQ(half_twice(4).value(), "even");
  const auto failed = half_twice(6);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(failed.error().text(), "number: odd");
}

TEST(ErrorDeathTest, AFailedAssertionEndsTheProgramAndSaysWhere) {
  EXPECT_DEATH(SLIPWAY_ASSERT(1 + 1 == 3), "error_test.cc.*assertion failed: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace slipway
