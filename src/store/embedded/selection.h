#pragma once

#include <string>
#include <vector>

#include "api/registry.h"
#include "api/selector.h"
#include "store/embedded/record.h"

namespace slipway::store {

// Which objects of a kind a list or watch is about.
class Selection {
 public:
  Selection() = default;
  // kBadRequest when the kind cannot be selected by one of the fields.
  static Result<Selection> make(std::string ns, api::LabelSelector labels,
                                api::FieldSelector fields, const api::Resource& resource);

  bool contains(const Record& record) const;
  // Cheap, and true whenever contains() is: enough to decide whom to wake.
  bool may_contain(const Key& key) const;
  // Neither labels nor fields: everything in the namespace.
  bool is_whole() const { return labels_.empty() && fields_.empty(); }
  const std::string& ns() const { return ns_; }

 private:
  std::string ns_;  // empty: all
  api::LabelSelector labels_;
  api::FieldSelector fields_;                  // those that need the object
  std::vector<api::FieldRequirement> on_key_;  // metadata.name, metadata.namespace
  std::vector<std::string> clues_;  // texts that the JSON of every selected object contains
};

}  // namespace slipway::store
