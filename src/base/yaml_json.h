#pragma once

#include <optional>
#include <vector>

#include "base/yaml.h"
#include "base/yaml_stream.h"

namespace slipway::yaml {

// The JSON objects of a chunk, one after another. Nothing when it is not JSON: then reading stopped
// at `stopped_at`, because of `message`. Private to base/.
struct JsonAttempt {
  std::optional<std::vector<Document>> documents;
  Position stopped_at;
  std::string message;
};

JsonAttempt read_json_documents(const Chunk& chunk, const json::ReadOptions& options);

}  // namespace slipway::yaml
