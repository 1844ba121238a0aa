#include "api/schema/schema.h"

#include <algorithm>
#include <numeric>

#include "api/schema/pattern.h"

namespace slipway::api {

namespace {

constexpr std::size_t kLinearFields = 6;  // below this a scan beats a binary search

void index_fields(Schema& schema) {
  schema.by_name.resize(schema.fields.size());
  std::iota(schema.by_name.begin(), schema.by_name.end(), std::uint16_t{0});
  std::ranges::sort(schema.by_name, {},
                    [&](std::uint16_t i) { return std::string_view(schema.fields[i].name); });
}

}  // namespace

const Field* Schema::find(std::string_view field) const {
  if (fields.size() <= kLinearFields || by_name.size() != fields.size()) {
    auto found = std::ranges::find(fields, field, &Field::name);
    return found == fields.end() ? nullptr : &*found;
  }
  auto name_of = [this](std::uint16_t i) { return std::string_view(fields[i].name); };
  auto found = std::ranges::lower_bound(by_name, field, {}, name_of);
  return found != by_name.end() && name_of(*found) == field ? &fields[*found] : nullptr;
}

Schema& SchemaSet::add(Schema schema) {
  schemas_.push_back(std::make_unique<Schema>(std::move(schema)));
  Schema& added = *schemas_.back();
  if (!added.name.empty()) {
    bool unique = by_name_.emplace(added.name, &added).second;
    SLIPWAY_ASSERT(unique);
  }
  return added;
}

const Schema* SchemaSet::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const Schema* SchemaSet::scalar(Shape shape) {
  const Schema*& known = scalars_[shape];
  if (known == nullptr) known = &add({.shape = shape});
  return known;
}

Result<> SchemaSet::seal() {
  Patterns patterns;
  return seal(patterns);
}

Result<> SchemaSet::seal(Patterns& patterns) {
  for (; sealed_ < schemas_.size(); ++sealed_) {
    Schema& schema = *schemas_[sealed_];
    index_fields(schema);
    if (schema.pattern.empty()) continue;
    auto compiled = patterns.compile(schema.pattern);
    if (!compiled) return fail(std::move(compiled).error());
    schema.compiled = *std::move(compiled);
  }
  return {};
}

}  // namespace slipway::api
