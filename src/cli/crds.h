#pragma once

#include <string>

namespace slipway::cli {

// Writes the CustomResourceDefinition of each of our own kinds into `folder`, one file a kind; for
// deploy/crds.
int write_crds(const std::string& folder);

}  // namespace slipway::cli
