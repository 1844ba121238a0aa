#include "store/embedded/selection.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::store {

Result<Selection> Selection::make(std::string ns, api::LabelSelector labels,
                                  api::FieldSelector fields, const api::Resource& resource) {
  Selection selection;
  selection.ns_ = std::move(ns);
  selection.labels_ = std::move(labels);
  for (api::FieldRequirement& requirement : fields.requirements) {
    if (requirement.path == "metadata.name" || requirement.path == "metadata.namespace") {
      selection.on_key_.push_back(std::move(requirement));
      continue;
    }
    const std::vector<std::string>& known = resource.selectable_fields;
    if (std::ranges::find(known, requirement.path) == known.end()) {
      return fail(ErrorCode::kBadRequest,
                  known.empty() && resource.native
                      ? fmt::format("\"{}\" is not a known field selector: only \"metadata.name\", "
                                    "\"metadata.namespace\"",
                                    requirement.path)
                      : fmt::format("field label not supported: {}", requirement.path));
    }
    if (requirement.equal && requirement.value != api::value_when_missing(requirement.path)) {
      std::string written;
      json::append_string(written, requirement.value);
      // Without the quotes: the value may be a number or a boolean.
      selection.clues_.push_back(written.substr(1, written.size() - 2));
    }
    selection.fields_.requirements.push_back(std::move(requirement));
  }
  return selection;
}

bool Selection::may_contain(const Key& key) const {
  if (!ns_.empty() && key.ns != ns_) return false;
  return std::ranges::all_of(on_key_, [&](const api::FieldRequirement& requirement) {
    const std::string& value = requirement.path == "metadata.name" ? key.name : key.ns;
    return (value == requirement.value) == requirement.equal;
  });
}

bool Selection::contains(const Record& record) const {
  if (!may_contain(record.key)) return false;
  if (!labels_.empty() && !labels_.matches(record.labels)) return false;
  if (fields_.empty()) return true;
  // Reading JSON is dear: most objects are ruled out by a search through their bytes.
  for (const std::string& clue : clues_) {
    if (record.bytes->find(clue) == std::string::npos) return false;
  }
  return api::matches(fields_, decode(record));
}

}  // namespace slipway::store
