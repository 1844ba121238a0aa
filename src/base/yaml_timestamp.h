#pragma once

#include <string_view>

namespace slipway::yaml {

// Whether unquoted text is a time for YAML 1.1, as far as go-yaml v2 knows the forms:
// 2026-01-02, 2026-1-2T15:04:05.5Z, 2026-01-02 15:04:05. Private to base/.
bool is_timestamp(std::string_view text);

}  // namespace slipway::yaml
