#include "store/decode.h"

#include <gtest/gtest.h>

namespace slipway::store {
namespace {

Item item(std::string text) {
  return {.key = {"n", "a"}, .version = 1, .bytes = std::make_shared<const std::string>(text)};
}
std::string deep(std::size_t levels) {
  return R"({"a":)" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

TEST(Decode, ReadsWhatOthersMayHaveWritten) {
  EXPECT_TRUE(decode(item(deep(kMaxReadDepth))));
  const std::string large = R"({"a":")" + std::string(json::kMaxBytes + 1, 'x') + R"("})";
  EXPECT_TRUE(decode(item(large)));
}

TEST(Decode, SaysWhatItCannotRead) {
  for (const std::string& text : {deep(kMaxReadDepth + 1), std::string("[]"), std::string("{")}) {
    auto refused = decode(item(text));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
    EXPECT_EQ(refused.error().message.substr(0, 20), "n/a cannot be read: ");
  }
}

}  // namespace
}  // namespace slipway::store
