#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipway {

inline constexpr std::uint32_t kFnv32Start = 2166136261U;
inline constexpr std::uint64_t kFnv64Start = 14695981039346656037ULL;

// FNV-1a. `start` continues an earlier hash.
constexpr std::uint32_t fnv1a32(std::string_view bytes, std::uint32_t start = kFnv32Start) {
  for (char c : bytes) start = (start ^ static_cast<unsigned char>(c)) * 16777619U;
  return start;
}
constexpr std::uint64_t fnv1a64(std::string_view bytes, std::uint64_t start = kFnv64Start) {
  for (char c : bytes) start = (start ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return start;
}

// Characters that spell no words, for generated names and hashes in them.
inline constexpr std::string_view kSafeAlphabet = "bcdfghjklmnpqrstvwxz2456789";

// Each byte replaced by one of the safe alphabet, as Kubernetes writes pod-template-hash.
std::string safe_encode(std::string_view text);

}  // namespace slipway
