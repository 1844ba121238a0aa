#include "base/base64.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace slipway {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> make_reverse() {
  std::array<std::int8_t, 256> reverse{};
  reverse.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    reverse[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return reverse;
}
constexpr std::array<std::int8_t, 256> kReverse = make_reverse();

std::unexpected<Error> illegal(std::size_t offset) {
  return fail(ErrorCode::kInvalid, fmt::format("illegal base64 data at input byte {}", offset));
}

// The text without line ends, remembering where each character stood.
class Characters {
 public:
  explicit Characters(std::string_view text) : text_(text) { skip_line_ends(); }

  bool at_end() const { return at_ == text_.size(); }
  std::size_t offset() const { return at_; }
  char peek() const { return text_[at_]; }
  void next() {
    ++at_;
    skip_line_ends();
  }

 private:
  void skip_line_ends() {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// After `digits` characters of a group: '=' up to its fourth place, then nothing.
Result<> expect_padding(Characters& characters, int digits) {
  // Go blames the whole group when padding is missing altogether.
  if (characters.at_end()) return illegal(characters.offset() - static_cast<std::size_t>(digits));
  if (digits < 2) return illegal(characters.offset());
  for (int place = digits; place < 4; ++place) {
    if (characters.at_end() || characters.peek() != '=') return illegal(characters.offset());
    characters.next();
  }
  if (!characters.at_end()) return illegal(characters.offset());
  return {};
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = (bits << 8) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? kAlphabet[(bits >> (18 - 6 * i)) & 0x3F] : '=';
    }
  }
  return out;
}

Result<std::string> base64_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int digits = 0;
  Characters characters(text);
  while (!characters.at_end() && characters.peek() != '=') {
    const int digit = kReverse[static_cast<unsigned char>(characters.peek())];
    if (digit < 0) return illegal(characters.offset());
    characters.next();
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    if (++digits < 4) continue;
    for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>((bits >> shift) & 0xFF);
    bits = 0;
    digits = 0;
  }
  if (digits == 0 && characters.at_end()) return out;
  SLIPWAY_TRY(expect_padding(characters, digits));
  // The bits of the last, incomplete byte are padding as well.
  out += static_cast<char>((bits >> (digits == 2 ? 4 : 10)) & 0xFF);
  if (digits == 3) out += static_cast<char>((bits >> 2) & 0xFF);
  return out;
}

}  // namespace slipway
