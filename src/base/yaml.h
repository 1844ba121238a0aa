#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"

// YAML manifests read into JSON values, as sigs.k8s.io/yaml (go-yaml v2 rules) reads them, with a
// line for each field.
namespace slipway::yaml {

inline constexpr std::size_t kMaxNodes = 1'000'000;                 // after aliases are expanded
inline constexpr std::size_t kMaxExpandedBytes = 32 * 1024 * 1024;  // of text copied by aliases

inline constexpr std::size_t kMaxDocuments = 100'000;

struct Position {
  int line = 0;    // from 1
  int column = 0;  // from 1, in bytes
};

// Where each field of a document stands, by path ("spec.metrics[0].interval"; keys with dots or
// slashes as `metadata.labels[app.kubernetes.io/name]`). A key may always be written in brackets:
// `labels[app]` and `labels.app` are the same field.
class Positions {
 public:
  void add(std::string_view path, Position position);
  // The position of `path`, else of its nearest parent that has one, else that of the document.
  Position find(std::string_view path) const;

  // Fields are known by a hash of their steps, so that long paths cost nothing: the hash of the
  // document, and of a member or element from that of its parent.
  using FieldHash = std::uint64_t;
  static FieldHash document_hash();
  static FieldHash child_hash(FieldHash parent, std::string_view key_or_index);
  void add(FieldHash field, Position position);

  // A number or boolean as it was written: `1.10`, where its value is 1.1; empty for other fields,
  // and for documents written as JSON. Aliases lead to what they name.
  std::string_view source_text(std::string_view path) const;
  void add_source_text(FieldHash field, std::string text);
  void add_alias(FieldHash field, FieldHash of);

 private:
  std::unordered_map<FieldHash, Position> by_field_;
  std::unordered_map<FieldHash, std::string> texts_;
  std::unordered_map<FieldHash, FieldHash> aliases_;
};

struct Document {
  json::Value value;
  Positions positions;
  int line = 1;                         // of its first content
  std::vector<std::string> duplicates;  // paths of repeated keys; the last value wins
};

// Every document of a stream; empty ones are left out. JSON documents may follow each other without
// separator. `options.duplicates` is not used: each document has its own.
// Errors: kBadRequest "line L, column C: …", kTooLarge.
Result<std::vector<Document>> read(std::string_view text, const json::ReadOptions& options = {});

// Block style, keys sorted, as `kubectl -o yaml` prints.
std::string write(const json::Value& value);

}  // namespace slipway::yaml
