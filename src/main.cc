#ifdef SLIPWAY_MIMALLOC
#include <mimalloc.h>
#endif

#include <string_view>

#include "cli/cli.h"
#include "runtime/shim/inside/run.h"

int main(int argc, char** argv) {
  // Not one of the commands: the server runs it for each Pod, and it stays small by loading nothing
  // that the commands need.
  if (argc == 3 && std::string_view(argv[1]) == "pod-shim")
    return slipway::runtime::run_pod_shim(argv[2]);
#ifdef SLIPWAY_MIMALLOC
  // Memory freed between two bursts of work is wanted again at the next one.
  constexpr long kKeepFreedMs = 1000;
  mi_option_set(mi_option_decommit_delay, kKeepFreedMs);
#endif
  return slipway::cli::run(argc, argv);
}
