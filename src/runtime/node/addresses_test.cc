#include "runtime/node/addresses.h"

#include <gtest/gtest.h>

#include <set>

namespace slipway::runtime {
namespace {

TEST(Addresses, AreWrittenAndReadAsDottedNumbers) {
  EXPECT_EQ(format_address(0x7F400001), "127.64.0.1");
  EXPECT_EQ(parse_address("127.64.0.1"), 0x7F400001U);
  for (const char* wrong :
       {"", "127", "127.0.0", "127.0.0.256", "127.0.0.1.2", "a.b.c.d", "1..2.3"})
    EXPECT_FALSE(parse_address(wrong)) << wrong;
}

TEST(Addresses, AUidKeepsItsAddressAndNobodyElseGetsIt) {
  Addresses addresses(kPodAddresses);
  std::set<std::string> given;
  for (int i = 0; i < 2000; ++i) given.insert(addresses.take("uid-" + std::to_string(i)));
  EXPECT_EQ(given.size(), 2000U);
  for (const std::string& one : given) EXPECT_TRUE(one.starts_with("127.")) << one;
  EXPECT_EQ(addresses.take("uid-7"), addresses.take("uid-7"));
  EXPECT_EQ(addresses.size(), 2000U);
}

TEST(Addresses, AnotherProgramLifeFindsTheSameAddress) {
  Addresses one(kServiceAddresses), other(kServiceAddresses);
  EXPECT_EQ(one.take("abc"), other.take("abc"));
}

TEST(Addresses, WhatIsHeldIsNotGivenToOthers) {
  Addresses fresh(kPodAddresses);
  const std::string wanted = fresh.take("late");
  Addresses addresses(kPodAddresses);
  EXPECT_TRUE(addresses.hold("early", wanted));
  EXPECT_TRUE(addresses.hold("early", wanted));
  EXPECT_FALSE(addresses.hold("late", wanted));
  EXPECT_NE(addresses.take("late"), wanted);
  addresses.release("early");
  addresses.release("late");
  EXPECT_EQ(addresses.take("late"), wanted);
}

TEST(Addresses, HoldsNothingOutsideItsRange) {
  Addresses addresses(kPodAddresses);
  for (const char* foreign : {"127.0.0.1", "127.128.0.1", "10.0.0.1", "x"})
    EXPECT_FALSE(addresses.hold("a", foreign)) << foreign;
}

TEST(Addresses, AFullRangeGivesNothing) {
  Addresses addresses({0x7F400000, 4});
  for (int i = 0; i < 3; ++i) EXPECT_NE(addresses.take(std::to_string(i)), "");
  EXPECT_EQ(addresses.take("one too many"), "");
}

}  // namespace
}  // namespace slipway::runtime
