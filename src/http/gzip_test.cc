#include "http/gzip.h"

#include <gtest/gtest.h>

namespace slipway::http {
namespace {

TEST(Gzip, ComesBackWhateverThePieces) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 10'007) + ",";
  for (std::size_t step : {1'000u, 65'536u, 1'000'000u}) {
    Gzip gzip;
    std::string packed;
    for (std::size_t at = 0; at < text.size(); at += step) {
      packed += gzip.compress(std::string_view(text).substr(at, step), at + step >= text.size());
    }
    EXPECT_LT(packed.size(), text.size());
    EXPECT_TRUE(gunzip(packed, text.size()) == text) << step;
  }
}

TEST(Gzip, IsUsedWhenTheClientAcceptsIt) {
  struct Case {
    const char* header;
    bool accepted;
  };
  for (const Case& c :
       {Case{"", false}, Case{"gzip", true}, Case{"deflate, GZIP", true}, Case{"gzip;q=0", false},
        Case{"gzip;q=0.0, *", false}, Case{"gzip; q=0.5", true}, Case{"*", true},
        Case{"*;q=0", false}, Case{"identity", false}, Case{"xgzip", false},
        Case{" br , gzip ", true}, Case{",,", false}}) {
    EXPECT_EQ(accepts_gzip(c.header), c.accepted) << c.header;
  }
}

}  // namespace
}  // namespace slipway::http
