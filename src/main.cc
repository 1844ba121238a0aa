#ifdef SLIPWAY_MIMALLOC
#include <mimalloc.h>
#endif

#include "cli/cli.h"

int main(int argc, char** argv) {
#ifdef SLIPWAY_MIMALLOC
  // Memory freed between two bursts of work is wanted again at the next one.
  constexpr long kKeepFreedMs = 1000;
  mi_option_set(mi_option_decommit_delay, kKeepFreedMs);
#endif
  return slipway::cli::run(argc, argv);
}
