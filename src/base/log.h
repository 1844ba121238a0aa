#pragma once

#include <fmt/format.h>

#include <string_view>

namespace slipway::log {

enum class Level { kDebug, kInfo, kWarning, kError };

// Lines go to stderr: time, level, area, text. Never log a secret: objects are logged by kind and
// name, requests without their headers and bodies.
void write(Level level, std::string_view area, std::string_view text);
void set_level(Level level);
bool enabled(Level level);

template <class... Args>
void info(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kInfo))
    write(Level::kInfo, area, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kWarning))
    write(Level::kWarning, area, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kError))
    write(Level::kError, area, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void debug(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(Level::kDebug))
    write(Level::kDebug, area, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace slipway::log
