#pragma once

#include <string>

namespace slipway::cli {

// The CustomResourceDefinition of each of our own kinds: into `folder`, one file a kind (as
// deploy/crds are), or, without one, to standard output.
int crds(const std::string& folder);

}  // namespace slipway::cli
