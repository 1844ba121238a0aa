#pragma once

#include <string>
#include <string_view>

#include "metrics/provider_spec.h"

namespace slipway::cli {

// Credentials as people keep them: a Secret (`data` in base64, `stringData` as it is), a YAML or
// JSON mapping of key to text, or lines of key=value (# begins a comment, `export` and quotes are
// taken off). Errors name the key or line and never what it holds.
Result<metrics::Credentials> read_credentials(std::string_view text);

// The same from a file.
Result<metrics::Credentials> read_credentials_file(const std::string& path);

}  // namespace slipway::cli
