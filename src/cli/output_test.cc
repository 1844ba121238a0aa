#include "cli/output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "cli/exit_code.h"

namespace slipway::cli {
namespace {

TEST(Output, WhatAServerRefusesIsAFailureAndNoAnswerIsNot) {
  const std::pair<ErrorCode, int> cases[] = {
      {ErrorCode::kNotFound, kExitFailed},     {ErrorCode::kConflict, kExitFailed},
      {ErrorCode::kInvalid, kExitFailed},      {ErrorCode::kBadRequest, kExitFailed},
      {ErrorCode::kUnauthorized, kExitFailed}, {ErrorCode::kForbidden, kExitFailed},
      {ErrorCode::kTimeout, kExitFailed},      {ErrorCode::kUnavailable, kExitCannotAsk},
      {ErrorCode::kInternal, kExitCannotAsk}};
  for (const auto& [code, expected] : cases)
    EXPECT_EQ(exit_code_of({.code = code, .message = ""}), expected) << to_string(code);
}

TEST(Output, WhatNobodyReadsIsLostAndNoMore) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  std::FILE* file = ::fdopen(ends[1], "w");
  EXPECT_FALSE(write_to(file, "lost"));
  std::fclose(file);
}

TEST(Output, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(align({{"NAME", "AGE"}, {"wäb", "1m"}, {"longer", "2m"}}),
            "NAME     AGE\nwäb      1m\nlonger   2m\n");
}

TEST(Output, RowsThatComeLaterStandUnderTheFirst) {
  std::vector<std::size_t> widths;
  EXPECT_EQ(align({{"NAME", "AGE", "X"}, {"longer", "1m", "x"}}, widths),
            "NAME     AGE   X\nlonger   1m    x\n");
  EXPECT_EQ(align({{"a", "2m", "x"}}, widths), "a        2m    x\n");
  EXPECT_EQ(align({{"the longest", "2m", "x"}}, widths), "the longest   2m    x\n");
  EXPECT_EQ(align({{"a", "2m", "x"}}, widths), "a             2m    x\n");
}

TEST(Output, WhatATerminalWouldObeyIsWrittenOut) {
  struct Case {
    std::string_view text, kept, expected;
  };
  const Case cases[] = {
      {"plain ~ text", "", "plain ~ text"},
      {"wäb ✔", "", "wäb ✔"},
      {"\x1b[2J", "\n\t", "^[[2J"},
      {"a\nb\tc\rd", "", "a\\nb\\tc\\rd"},
      {"a\nb\tc\rd", "\n\t", "a\nb\tc\\rd"},
      {"\x07\x7f", "", "\\u0007\\u007f"},
      {"\xc2\x9b"
       "2J",
       "", "\\u009b2J"},
      {"\xe2\x80\xae", "", "\\u202e"},
      {"\x9b", "", "\uFFFD"},
      {"  two  blanks ", "", "  two  blanks "},
  };
  for (const Case& one : cases) EXPECT_EQ(escaped(one.text, one.kept), one.expected) << one.text;
}

TEST(Output, WhoOwnsWhichFieldIsHidden) {
  json::Value list = json::Object{
      {"metadata", json::Object{{"managedFields", 1}}},
      {"items", json::Array{json::Object{
                    {"metadata", json::Object{{"name", "a"}, {"managedFields", json::Array{}}}}}}}};
  hide_managed_fields(list);
  EXPECT_EQ(json::write(list), R"({"metadata":{},"items":[{"metadata":{"name":"a"}}]})");
}

}  // namespace
}  // namespace slipway::cli
