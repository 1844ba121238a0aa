#include "runtime/traffic/stats.h"

#include <gtest/gtest.h>

namespace slipway::runtime::traffic {

namespace {

using namespace std::chrono_literals;
const store::Key kWeb{"d", "web"};
constexpr Time kStart = Time(1'000'000s);

Reading web(std::uint64_t requests, std::uint64_t errors = 0, std::uint64_t us = 0) {
  return {{kWeb, {.requests = requests, .errors = errors, .latency_us = us}}};
}

TEST(Ledger, CountersAreKeptWhenOneProcessFollowsAnother) {
  Ledger ledger;
  ledger.read("a", web(10, 1, 100), true, kStart);
  ledger.read("a", web(15, 2, 150), true, kStart + 1s);
  ledger.read("b", web(3, 0, 30), true, kStart + 2s);    // the next one
  ledger.read("a", web(16, 2, 160), true, kStart + 2s);  // and what the first still had under way
  ledger.forget_process("a");
  ledger.read("b", web(7, 1, 70), true, kStart + 3s);
  EXPECT_EQ(ledger.totals().at(kWeb), (Counters{.requests = 23, .errors = 3, .latency_us = 230}));
}

TEST(Ledger, AWindowHoldsWhatCameWithinIt) {
  Ledger ledger;
  for (int second = 0; second <= 10; ++second)
    ledger.read("a", web(static_cast<std::uint64_t>(100 * second)), true,
                kStart + std::chrono::seconds(second));
  EXPECT_EQ(ledger.between(kWeb, kStart + 2s, kStart + 5s)->requests, 300U);
  EXPECT_EQ(ledger.between(kWeb, kStart - 60s, kStart + 10s)->requests, 1000U);
  EXPECT_EQ(ledger.between(kWeb, kStart + 10s, kStart + 70s)->requests, 0U);
  EXPECT_FALSE(ledger.between(kWeb, kStart - 60s, kStart - 1s));
  EXPECT_FALSE(ledger.between({"d", "other"}, kStart, kStart + 10s));
}

TEST(Ledger, WhatAProxyCountedBeforeWeLookedIsInNoWindow) {
  Ledger ledger;
  ledger.read("old", web(1000), false, kStart);
  ledger.read("old", web(1005), false, kStart + 1s);
  EXPECT_EQ(ledger.totals().at(kWeb).requests, 1005U);
  EXPECT_EQ(ledger.between(kWeb, kStart - 60s, kStart + 1s)->requests, 5U);
}

TEST(Ledger, TheFirstRequestsOfANewServiceCount) {
  Ledger ledger;
  ledger.read("a", {}, true, kStart);
  ledger.read("a", web(7), true, kStart + 1s);
  EXPECT_EQ(ledger.between(kWeb, kStart - 60s, kStart + 1s)->requests, 7U);
}

TEST(Ledger, HistoryEndsAndAServiceCanBeForgotten) {
  Ledger ledger;
  for (int i = 0; i < 20'000; ++i)
    ledger.read("a", web(static_cast<std::uint64_t>(i)), true, kStart + i * 1s);
  const Time end = kStart + 19'999s;
  EXPECT_EQ(ledger.between(kWeb, end - 10min, end)->requests, 600U);
  EXPECT_LE(ledger.between(kWeb, kStart, end)->requests, Ledger::kMaxSamples);
  ledger.forget_service(kWeb);
  EXPECT_FALSE(ledger.between(kWeb, kStart, end));
  EXPECT_TRUE(ledger.totals().empty());
}

TEST(Ledger, AServiceThatComesAgainBeginsWithNothing) {
  Ledger ledger;
  ledger.read("a", web(10), true, kStart);
  ledger.forget_service(kWeb);
  ledger.read("a", web(10), true, kStart + 1s);  // it still has its backend
  EXPECT_TRUE(ledger.totals().empty());
  ledger.read("b", web(2), true, kStart + 2s);
  ledger.read("a", web(10), true, kStart + 2s);
  EXPECT_EQ(ledger.totals().at(kWeb).requests, 2U);
}

TEST(StatTable, ReadsColumnsByName) {
  const StatTable table = parse_stat(
      "# pxname,svname,scur,stot,hrsp_1xx,hrsp_2xx,hrsp_3xx,hrsp_4xx,hrsp_5xx,hrsp_other,mode,\n"
      "gw:d:gw:80,FRONTEND,3,9,,,,,,,http,\n"
      "svc:d:web:80,BACKEND,1,4,0,2,0,1,3,0,http,\n"
      "svc:d:db:5432,BACKEND,1,4,,,,,,,tcp,\n"
      "\n");
  EXPECT_EQ(table.clients, 3U);
  ASSERT_EQ(table.backends.size(), 2U);
  EXPECT_EQ(table.backends[0].counters, (Counters{.requests = 6, .errors = 3}));
  EXPECT_TRUE(table.backends[0].http);
  EXPECT_EQ(table.backends[1].counters, (Counters{.requests = 4}));
  EXPECT_TRUE(parse_stat("").backends.empty());
  EXPECT_TRUE(parse_stat("Unknown command\nwhat,is,this\n").backends.empty());
  EXPECT_EQ(parse_variable("proc.x: type=sint value=<87701>"), 87'701U);
  EXPECT_EQ(parse_variable("Variable not found."), 0U);
}

}  // namespace

}  // namespace slipway::runtime::traffic
