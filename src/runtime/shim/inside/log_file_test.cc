#include "runtime/shim/inside/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

const Time kNow = *parse_time("2026-01-02T03:04:05.000000678Z");

TEST(LogLines, FollowsTheFormatOfContainerRuntimes) {
  LogLines lines("stdout");
  EXPECT_EQ(lines.add("one\ntw", kNow), "2026-01-02T03:04:05.000000678Z stdout F one\n");
  EXPECT_EQ(lines.add("o\n\n", kNow),
            "2026-01-02T03:04:05.000000678Z stdout F two\n"
            "2026-01-02T03:04:05.000000678Z stdout F \n");
  EXPECT_EQ(lines.finish(kNow), "");
  EXPECT_EQ(LogLines("stderr").add("x\n", kNow), "2026-01-02T03:04:05.000000678Z stderr F x\n");
}

TEST(LogLines, WhatHasNoLineEndComesWithTheEnd) {
  LogLines lines("stdout");
  EXPECT_EQ(lines.add("rest", kNow), "");
  EXPECT_EQ(lines.finish(kNow), "2026-01-02T03:04:05.000000678Z stdout F rest\n");
  EXPECT_EQ(lines.finish(kNow), "");
}

TEST(LogLines, CutsLongLines) {
  const std::string whole(kMaxLogLine, 'a');
  const std::string stamp = "2026-01-02T03:04:05.000000678Z stdout ";
  LogLines exact("stdout");
  EXPECT_EQ(exact.add(whole + "\n", kNow), stamp + "F " + whole + "\n");
  LogLines late("stdout");
  EXPECT_EQ(late.add(whole, kNow), "");
  EXPECT_EQ(late.add("\n", kNow), stamp + "F " + whole + "\n");
  LogLines longer("stdout");
  EXPECT_EQ(longer.add(whole + "bc\n", kNow), stamp + "P " + whole + "\n" + stamp + "F bc\n");
  LogLines bit_by_bit("stdout");
  std::string all;
  for (const char c : whole + "bc\n") all += bit_by_bit.add({&c, 1}, kNow);
  EXPECT_EQ(all, stamp + "P " + whole + "\n" + stamp + "F bc\n");
}

TEST(LogFile, MovesFullOnesAside) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/0.log";
  {
    auto log = LogFile::open(path, 10, 3);
    ASSERT_TRUE(log);
    for (const char* line : {"1aaaaa\n", "2aaaaa\n", "3aaaaa\n", "4aaaaa\n", "5\n"})
      log->write(line);
  }
  EXPECT_EQ(*file::read(path), "4aaaaa\n5\n");
  EXPECT_EQ(*file::read(path + ".1"), "3aaaaa\n");
  EXPECT_EQ(*file::read(path + ".2"), "2aaaaa\n");
  EXPECT_FALSE(file::exists(path + ".3"));
  // Opened again it goes on where it was.
  auto again = LogFile::open(path, 10, 3);
  ASSERT_TRUE(again);
  again->write("6aaaaa\n");
  EXPECT_EQ(*file::read(path), "6aaaaa\n");
  remove_log(path, 3);
  EXPECT_FALSE(file::exists(path + ".2"));
}

TEST(LogTail, GivesTheTextsOfTheLastLines) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/0.log";
  ASSERT_TRUE(file::write(path, "T stdout F one\nT stderr F two words\nT stdout F \n", 0600));
  EXPECT_EQ(log_tail(path, 80, 2048), "one\ntwo words\n\n");
  EXPECT_EQ(log_tail(path, 2, 2048), "two words\n\n");
  EXPECT_EQ(log_tail(path, 80, 7), "words\n\n");
  EXPECT_EQ(log_tail(path + ".no", 80, 7), "");
}

}  // namespace

}  // namespace slipway::runtime
