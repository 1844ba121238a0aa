#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/tree/branches.h"

namespace slipway::cli {

// The items of a list of the API.
Task<Result<std::vector<json::Value>>> list_items(Session& session, std::string target);

// What may belong to a Rollout or an Experiment of the session's namespace. Events are asked for
// only when some Pod is not well.
Task<Result<Grove>> gather_grove(Session& session);

}  // namespace slipway::cli
