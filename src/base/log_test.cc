#include "base/log.h"

#include <gmock/gmock.h>

namespace slipway::log {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Log : public testing::Test {
 protected:
  ~Log() override { set_level(Level::kInfo); }

  template <class Write>
  static std::string written(Write write) {
    testing::internal::CaptureStderr();
    write();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Log, ALineHasTimeLevelAreaAndText) {
  const auto line = written([] { warning("store", "{} of {}", 1, 2); });
  EXPECT_THAT(line, ContainsRegex("^[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z warning store: 1 of 2\n$"));
}

TEST_F(Log, WhatIsBelowTheLevelIsNotWritten) {
  EXPECT_FALSE(enabled(Level::kDebug));
  EXPECT_EQ(written([] { debug("x", "hidden"); }), "");
  set_level(Level::kDebug);
  EXPECT_THAT(written([] { debug("x", "shown"); }), HasSubstr("debug x: shown"));
  set_level(Level::kError);
  EXPECT_EQ(written([] { info("x", "hidden"); }), "");
}

TEST_F(Log, TextFromOutsideCannotForgeLines) {
  const auto line = written([] { info("http", "{}", "a\n2026 error \x1b[31m{}"); });
  EXPECT_THAT(line, HasSubstr("http: a\\n2026 error \\x1b[31m{}\n"));
  EXPECT_THAT(line, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace slipway::log
