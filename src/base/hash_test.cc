#include "base/hash.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

TEST(Hash, Fnv1aIsGos) {
  static_assert(fnv1a32("") == 2166136261U);
  EXPECT_EQ(fnv1a32("hello"), 1335831723U);
  EXPECT_EQ(fnv1a64("hello"), 11831194018420276491ULL);
  EXPECT_EQ(fnv1a32("lo", fnv1a32("hel")), fnv1a32("hello"));
}

TEST(Hash, SafeEncodeIsKubernetes) {
  EXPECT_EQ(safe_encode("1335831723"), "5779d75c67");
  EXPECT_EQ(safe_encode(""), "");
}

}  // namespace
}  // namespace slipway
