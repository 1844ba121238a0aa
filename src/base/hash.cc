#include "base/hash.h"

namespace slipway {

std::string safe_encode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) out += kSafeAlphabet[static_cast<unsigned char>(c) % kSafeAlphabet.size()];
  return out;
}

}  // namespace slipway
