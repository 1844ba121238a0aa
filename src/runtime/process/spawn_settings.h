#pragma once

#include <spawn.h>

#include <string>

namespace slipway::runtime {

// For posix_spawn: a program in a session of its own with default signals, no input, and nothing
// open but its output.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output);
  explicit SpawnSettings(const std::string& log);  // a file that its output is added to
  ~SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

 private:
  SpawnSettings();
  void finish();
};

}  // namespace slipway::runtime
