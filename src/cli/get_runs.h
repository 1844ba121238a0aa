#pragma once

#include "cli/session.h"
#include "cli/watching.h"

namespace slipway::cli {

// Whether a kind is shown as a table of measurements that is drawn again in its place.
bool is_drawn_live(const ServedKind& kind);

// Follows a watch of AnalysisRuns, which begins with those there are, and keeps a table of their
// measurements on the terminal up to date. Ends with a server that has gone, which is a failure.
Task<int> follow_runs(Session& session, Watching events, bool all_namespaces);

}  // namespace slipway::cli
