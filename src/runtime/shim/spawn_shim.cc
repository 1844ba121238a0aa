#include "runtime/shim/spawn_shim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>

#include <filesystem>

#include "base/text.h"
#include "runtime/process/run_program.h"
#include "runtime/shim/control_dial.h"
#include "runtime/shim/inside/run.h"
#include "runtime/shim/strays.h"

namespace slipway::runtime {

namespace {

constexpr Duration kStartPatience = std::chrono::seconds(30);
constexpr int kAnswerTries = 250;
constexpr int kAnswerWait = 20;  // ms

// Another server, killed meanwhile, has started it.
Result<> wait_until_it_answers(const std::string& folder) {
  for (int tries = 0; tries < kAnswerTries; ++tries) {
    if (dial(folder)) return {};
    ::poll(nullptr, 0, kAnswerWait);
  }
  return fail(ErrorCode::kUnavailable, fmt::format("the shim of {} does not answer", folder));
}

}  // namespace

Result<> spawn_shim(const std::string& folder, const ShimProgram& program) {
  std::vector<std::string> argv = program.argv;
  argv.push_back(folder);
  const auto ran = run_program(std::move(argv), kStartPatience);
  if (ran && ran->code == 0) return {};
  if (ran && ran->code == kExitShimRuns) return wait_until_it_answers(folder);
  return fail(ErrorCode::kUnavailable,
              fmt::format("the shim of {} cannot start: {}", folder,
                          ran ? text::trim(ran->output) : ran.error().message));
}

void sweep_after(const std::string& folder) {
  const Descriptor lock(
      ::open((folder + "/" + kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code wrong;
  kill_strays_of(std::filesystem::weakly_canonical(folder, wrong).string());
}

}  // namespace slipway::runtime
