#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/yaml.h"

namespace slipway::yaml {
namespace {

// Splits "a.b[0][x.y/z]" into a, b, 0, x.y/z. Brackets inside brackets belong to the key.
std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t end = 1;
      for (int open = 1; end < path.size(); ++end) {
        if (path[end] == '[') ++open;
        if (path[end] == ']' && --open == 0) break;
      }
      steps.push_back(path.substr(1, end - 1));
      path.remove_prefix(std::min(end + 1, path.size()));
      if (path.starts_with('.')) path.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(path.find_first_of(".["), path.size());
    steps.push_back(path.substr(0, end));
    path.remove_prefix(end);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return steps;
}

}  // namespace

Positions::FieldHash Positions::document_hash() { return kFnv64Start; }

Positions::FieldHash Positions::child_hash(FieldHash parent, std::string_view key_or_index) {
  // The zero byte keeps "ab", "c" and "a", "bc" apart.
  return fnv1a64(key_or_index, fnv1a64(std::string_view("\0", 1), parent));
}

void Positions::add(FieldHash field, Position position) {
  by_field_.insert_or_assign(field, position);
}

void Positions::add(std::string_view path, Position position) {
  FieldHash field = document_hash();
  for (std::string_view step : steps_of(path)) field = child_hash(field, step);
  add(field, position);
}

Position Positions::find(std::string_view path) const {
  FieldHash field = document_hash();
  Position nearest;
  const auto look = [&] {
    const auto found = by_field_.find(field);
    if (found != by_field_.end()) nearest = found->second;
  };
  look();
  for (std::string_view step : steps_of(path)) {
    field = child_hash(field, step);
    look();
  }
  return nearest;
}

void Positions::add_source_text(FieldHash field, std::string text) {
  aliases_.erase(field);  // of a repeated key the last value counts
  texts_.insert_or_assign(field, std::move(text));
}

void Positions::add_alias(FieldHash field, FieldHash of) { aliases_.insert_or_assign(field, of); }

std::string_view Positions::source_text(std::string_view path) const {
  FieldHash field = document_hash();
  for (std::string_view step : steps_of(path)) {
    field = child_hash(field, step);
    // One step: an alias names what was written out, never another alias.
    if (const auto alias = aliases_.find(field); alias != aliases_.end()) field = alias->second;
  }
  const auto found = texts_.find(field);
  return found == texts_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace slipway::yaml
