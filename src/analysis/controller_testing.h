#pragma once

#include <optional>

#include "analysis/controller.h"
#include "analysis/measure_testing.h"
#include "control/testing/mortal_store.h"
#include "control/testing/store_fixture.h"

namespace slipway::analysis {

// One life of the program, as far as AnalysisRuns are concerned.
struct Life {
  Life(Loop& on, store::Store& below, api::Registry& registry, Random& random, FakeSources& sources,
       LongProviders long_providers = {})
      : loop(on),
        store(on, below),
        manager(on, store, registry),
        recorder(on, store, random, "rollouts-controller"),
        measurer(on, store, sources.opener(), {}, long_providers),
        reconciler(manager, recorder, measurer) {
    manager.add(AnalysisRunReconciler::options(), reconciler);
  }
  void end() {
    reconciler.request_stop();
    run_to_end(loop, manager.stop());
    run_to_end(loop, recorder.stop());
  }

  Loop& loop;
  control::MortalStore store;
  control::Manager manager;
  control::Recorder recorder;
  Measurer measurer;
  AnalysisRunReconciler reconciler;
};

}  // namespace slipway::analysis
