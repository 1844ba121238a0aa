#include "base/base64.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

TEST(Base64, EncodesWithPadding) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_encode(std::string("\0\xff\xfe", 3)), "AP/+");
}

// Each from Go's StdEncoding.
TEST(Base64, DecodesWhatGoDecodes) {
  struct Case {
    std::string_view text;
    std::string_view bytes;
  };
  for (const Case& c :
       {Case{"", ""}, Case{"Zg==", "f"}, Case{"Zm8=", "fo"}, Case{"Zm9v", "foo"}, Case{"\n", ""},
        Case{"Zm9v\nYmFy", "foobar"}, Case{"Zh==", "f"}, Case{"Zg=\r\n=", "f"}}) {
    EXPECT_EQ(base64_decode(c.text).value_or("refused"), c.bytes) << c.text;
  }
}

TEST(Base64, RefusesAtTheByteThatGoNames) {
  struct Case {
    std::string_view text;
    std::size_t offset;
  };
  for (const Case& c : {Case{"Zm9vYg=", 7}, Case{"Zg", 0}, Case{"Zg=", 3}, Case{"Z===", 1},
                        Case{"====", 0}, Case{"Zg==Zg==", 4}, Case{"Zm9v!", 4}, Case{"Zm 9v", 2}}) {
    const auto bytes = base64_decode(c.text);
    ASSERT_FALSE(bytes) << c.text;
    EXPECT_EQ(bytes.error().message,
              "illegal base64 data at input byte " + std::to_string(c.offset));
  }
}

TEST(Base64, EveryLengthComesBack) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(base64_decode(base64_encode(bytes)).value(), bytes);
    bytes += static_cast<char>(length * 37);
  }
}

}  // namespace
}  // namespace slipway
