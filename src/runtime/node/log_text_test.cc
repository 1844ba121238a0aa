#include "runtime/node/log_text.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

constexpr std::string_view kLog =
    "2026-01-02T10:00:00.000000000Z stdout F one\n"
    "2026-01-02T10:00:01.500000000Z stderr F two words\n"
    "2026-01-02T10:00:02.000000000Z stdout P thr\n"
    "2026-01-02T10:00:02.000000001Z stdout F ee\n"
    "2026-01-02T10:00:03.000000000Z stdout F \n";

std::string read(LogText::Wanted wanted, std::size_t piece = 1000) {
  LogText text(std::move(wanted));
  std::string out;
  for (std::size_t at = 0; at < kLog.size(); at += piece) out += text.add(kLog.substr(at, piece));
  return out;
}

TEST(LogText, GivesBackWhatWasWritten) {
  for (const std::size_t piece : {1U, 2U, 7U, 40U, 1000U})
    EXPECT_EQ(read({}, piece), "one\ntwo words\nthree\n\n") << piece;
}

TEST(LogText, TimesStandBeforeWholeLines) {
  EXPECT_EQ(read({.timestamps = true, .stream = "stdout"}),
            "2026-01-02T10:00:00.000000000Z one\n"
            "2026-01-02T10:00:02.000000000Z three\n"
            "2026-01-02T10:00:03.000000000Z \n");
}

TEST(LogText, LeavesOutWhatIsOlderOrOfTheOtherStream) {
  EXPECT_EQ(read({.since = *parse_time("2026-01-02T10:00:01.5Z")}), "two words\nthree\n\n");
  EXPECT_EQ(read({.since = *parse_time("2026-01-02T10:00:01.500000001Z")}), "three\n\n");
  EXPECT_EQ(read({.stream = "stderr"}), "two words\n");
}

TEST(LogText, EndsAtTheLimit) {
  for (const auto& [limit, text] : std::vector<std::pair<int, const char*>>{
           {1, "o"}, {4, "one\n"}, {6, "one\ntw"}, {1000, "one\ntwo words\nthree\n\n"}})
    EXPECT_EQ(read({.limit_bytes = limit}, 3), text);
  LogText text({.limit_bytes = 3});
  EXPECT_FALSE(text.is_full());
  text.add(kLog);
  EXPECT_TRUE(text.is_full());
}

}  // namespace
}  // namespace slipway::runtime
