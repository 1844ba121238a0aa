#include "base/utf8.h"

#include <gtest/gtest.h>

namespace slipway::utf8 {
namespace {

TEST(Utf8, EveryCharacterComesBack) {
  for (char32_t character = 0; character < 0x110000; character += character < 0x3000 ? 1 : 97) {
    if (character >= 0xD800 && character < 0xE000) continue;
    std::string text;
    append(text, character);
    ASSERT_EQ(length_of_first(text), text.size()) << std::hex << unsigned(character);
    ASSERT_EQ(decode_first(text, text.size()), character);
  }
}

TEST(Utf8, MalformedBytesHaveNoLength) {
  for (std::string_view text : {"", "\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2 ", "\xE0\x80\x80",
                                "\xE0\x9F\xBF", "\xED\xA0\x80", "\xEF\xBF", "\xF0\x80\x80\x80",
                                "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(length_of_first(text), 0U);
  }
}

TEST(Utf8, WhatIsNoCharacterIsWrittenAsReplacement) {
  for (char32_t character : {U'\xD800', U'\xDFFF', U'\x110000'}) {
    std::string text;
    append(text, character);
    EXPECT_EQ(text, kReplacement);
  }
}

TEST(Utf8, RepairReplacesEachMalformedByte) {
  EXPECT_EQ(repaired("plain é"), "plain é");
  EXPECT_EQ(repaired("a\xFF\xFE"
                     "b\xE2\x82"),
            "a\uFFFD\uFFFD"
            "b\uFFFD\uFFFD");
}

}  // namespace
}  // namespace slipway::utf8
