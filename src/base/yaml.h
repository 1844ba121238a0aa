#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// YAML manifests read into JSON values, as sigs.k8s.io/yaml (go-yaml v2 rules) reads them, with a
// line for each field.
namespace slipway::yaml {

inline constexpr std::size_t kMaxNodes = 1'000'000;  // after aliases are expanded

struct Position {
  int line = 0;    // from 1
  int column = 0;  // from 1
};

// Where each field of a document stands, by path ("spec.metrics[0].interval"; keys with dots or
// slashes as `metadata.labels[app.kubernetes.io/name]`).
class Positions {
 public:
  void add(std::string path, Position position);
  // The position of `path`, else of its nearest parent that has one.
  Position find(std::string_view path) const;

 private:
  std::map<std::string, Position, std::less<>> by_path_;
};

struct Document {
  json::Value value;  // null for an empty document
  Positions positions;
  int line = 1;                         // of its first content
  std::vector<std::string> duplicates;  // paths of repeated keys; the last value wins
};

// Every document of a stream; empty ones are left out. Errors: kBadRequest "line L, column C: …",
// kTooLarge.
Result<std::vector<Document>> read(std::string_view text, const json::ReadOptions& options = {});

// Block style, keys sorted, as `kubectl -o yaml` prints.
std::string write(const json::Value& value);

}  // namespace slipway::yaml
