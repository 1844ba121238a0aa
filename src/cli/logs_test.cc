#include "cli/logs.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(Logs, AskForWhatTheFlagsSay) {
  EXPECT_EQ(logs_query({}), "");
  EXPECT_EQ(logs_query({.container = "a b", .follow = true, .tail = 0}),
            "container=a%20b&follow=true&tailLines=0");
  EXPECT_EQ(logs_query({.previous = true, .timestamps = true, .since = "1m500ms"}),
            "previous=true&timestamps=true&sinceSeconds=61");
  for (const char* wrong : {"10", "-5s", "0s", "x"}) EXPECT_FALSE(logs_query({.since = wrong}));
}

}  // namespace
}  // namespace slipway::cli
