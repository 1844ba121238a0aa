#include "runtime/process/spawn_settings.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace slipway::runtime {

SpawnSettings::SpawnSettings() {
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&actions);
  sigset_t signals;
  ::sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

SpawnSettings::SpawnSettings(int output) : SpawnSettings() {
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  finish();
}

SpawnSettings::SpawnSettings(const std::string& log) : SpawnSettings() {
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
  finish();
}

void SpawnSettings::finish() {
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
}

SpawnSettings::~SpawnSettings() {
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
}

}  // namespace slipway::runtime
