#pragma once

#include <cstddef>

#include "base/time.h"

// What a source may cost us, whatever it answers.
namespace slipway::metrics {

inline constexpr std::size_t kMaxAnswerBytes = 32 * 1024 * 1024;
inline constexpr std::size_t kMaxTokenBytes = 64 * 1024;  // answers of sign-in endpoints
inline constexpr int kMaxRedirects = 10;
inline constexpr std::size_t kMaxPages = 20;         // of one answer that comes in pages
inline constexpr std::size_t kMaxShownBytes = 512;   // of a body quoted in a message
inline constexpr std::size_t kMaxShownGroups = 100;  // of grouped answers kept as metadata
inline constexpr std::size_t kMaxWarnings = 20;      // kept of one answer
inline constexpr std::size_t kMaxClients = 64;       // HTTP clients, one for each TLS setting
inline constexpr std::size_t kMaxTokens = 1000;      // sign-in tokens remembered
inline constexpr Duration kDefaultWindow = std::chrono::minutes(5);
inline constexpr Duration kOnlineTimeout = std::chrono::seconds(5);

}  // namespace slipway::metrics
