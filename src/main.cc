#include <string_view>

#include "cli/cli.h"
#include "runtime/shim/inside/run.h"

#ifdef SLIPWAY_JEMALLOC
#include <jemalloc/jemalloc.h>

// Read by the allocator before main. One thread does nearly all the work; memory freed between two
// bursts of it is wanted again at the next one, within this many milliseconds.
extern "C" const char* malloc_conf =
    "narenas:1,max_background_threads:1,dirty_decay_ms:10000,muzzy_decay_ms:0";
#endif

namespace {
// What nobody wants again goes back to the system also when nothing happens that would free more.
void give_memory_back() {
#ifdef SLIPWAY_JEMALLOC
  bool on = true;
  mallctl("background_thread", nullptr, nullptr, &on, sizeof on);
#endif
}
}  // namespace

int main(int argc, char** argv) {
  // Not one of the commands: the server runs it for each Pod, and it stays small by loading nothing
  // that the commands need.
  if (argc == 3 && std::string_view(argv[1]) == "pod-shim")
    return slipway::runtime::run_pod_shim(argv[2]);
  give_memory_back();
  return slipway::cli::run(argc, argv);
}
