#pragma once

namespace slipway::cli {

// What the program's exit code says; scripts rely on them.
inline constexpr int kExitDone = 0;  // done, or passed
inline constexpr int kExitFailed =
    1;  // failed verdict, refused by the server, a wait that timed out
inline constexpr int kExitInconclusive = 2;  // inconclusive, no data
inline constexpr int kExitCannotAsk = 3;     // unreadable input, unreachable
inline constexpr int kExitUsage = 64;

}  // namespace slipway::cli
