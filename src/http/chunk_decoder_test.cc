#include "http/chunk_decoder.h"

#include <gtest/gtest.h>

#include <vector>

namespace slipway::http {
namespace {

using State = ChunkDecoder::State;

TEST(ChunkDecoder, TakesBodiesApartHoweverTheyAreCut) {
  struct Case {
    const char* name;
    std::string bytes;
    State state;
    std::string body;
    std::string rest;
  };
  for (const Case& c : std::vector<Case>{
           {"empty", "0\r\n\r\n", State::kDone, "", ""},
           {"two chunks", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", State::kDone, "abcde", ""},
           {"what follows stays", "1\r\na\r\n0\r\n\r\nGET /", State::kDone, "a", "GET /"},
           {"line ends are data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", State::kDone, "\r\n\r\n", ""},
           {"extensions", "1;a=b\r\nx\r\n0 ;c\r\n\r\n", State::kDone, "x", ""},
           {"trailers", "1\r\nx\r\n0\r\nA: b\r\nbody\r\n\r\n", State::kDone, "x", ""},
           {"large digits", "A\r\n0123456789\r\n0\r\n\r\n", State::kDone, "0123456789", ""},
           {"not complete", "5\r\nab", State::kMore, "ab", ""},
           {"no last line", "0\r\n", State::kMore, "", ""},
           {"too large at once", "b\r\n", State::kTooLarge, "", ""},
           {"too large together", "6\r\nabcdef\r\n5\r\n", State::kTooLarge, "abcdef", ""},
           {"huge", "ffffffffffffffff\r\n", State::kTooLarge, "", ""},
           {"over 64 bits", "fffffffffffffffff\r\n", State::kMalformed, "", "\r\n"},
           {"no size", "\r\n", State::kMalformed, "", "\n"},
           {"no digits", ";a\r\n", State::kMalformed, "", "a\r\n"},
           {"sign", "-1\r\n", State::kMalformed, "", "1\r\n"},
           {"prefix", "0x1\r\n", State::kMalformed, "", "1\r\n"},
           {"bare line feed", "1\nx", State::kMalformed, "", "x"},
           {"bare line feed in an extension", "1;a\nx", State::kMalformed, "", "x"},
           {"bare carriage return", "1\rx", State::kMalformed, "", ""},
           {"data goes on", "1\r\nxy\r\n", State::kMalformed, "x", "\r\n"},
           {"endless extension", "1;" + std::string(20'000, 'a'), State::kMalformed, "",
            std::string(3615, 'a')},
           {"endless trailer", "0\r\n" + std::string(20'000, 'a'), State::kMalformed, "",
            std::string(3615, 'a')}}) {
    for (std::size_t cut : {std::size_t{1}, std::size_t{3}, c.bytes.size()}) {
      ChunkDecoder decoder(10);
      std::string body;
      std::string_view rest = c.bytes;
      while (!rest.empty() && decoder.state() == State::kMore) {
        rest.remove_prefix(decoder.feed(rest.substr(0, cut), body));
      }
      EXPECT_EQ(decoder.state(), c.state) << c.name << " by " << cut;
      EXPECT_EQ(body, c.body) << c.name << " by " << cut;
      EXPECT_EQ(rest, c.rest) << c.name << " by " << cut;
    }
  }
}

}  // namespace
}  // namespace slipway::http
