#include "runtime/shim/identity.h"

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "runtime/shim/process_list.h"

namespace slipway::runtime {

namespace {

constexpr std::size_t kMaxBootId = 256;

}  // namespace

std::string boot_id() {
  auto text = file::read("/proc/sys/kernel/random/boot_id", kMaxBootId);
  return text ? std::string(text::trim(*text)) : std::string();
}

std::optional<ProcessIdentity> identify(pid_t pid) {
  const auto process = read_process(pid);
  if (!process || process->ended) return std::nullopt;
  return ProcessIdentity{.pid = pid, .start_ticks = process->start_ticks, .boot_id = boot_id()};
}

ProcessIdentity identify_self() { return identify(::getpid()).value_or(ProcessIdentity{}); }

bool is_alive(const ProcessIdentity& identity) {
  if (identity.pid <= 0 || identity.boot_id != boot_id()) return false;
  const auto process = read_process(identity.pid);
  return process && !process->ended && process->start_ticks == identity.start_ticks;
}

}  // namespace slipway::runtime
