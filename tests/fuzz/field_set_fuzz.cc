#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/apply/field_set.h"

// Two fieldsV1 documents with a zero byte between: what is read is written and read again alike,
// and the set algebra keeps its laws.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  using api::FieldSet;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t zero = text.find('\0');
  auto first = json::read(text.substr(0, zero));
  if (!first) return 0;
  auto a = FieldSet::read(*first);
  if (!a) return 0;
  auto again = FieldSet::read(a->write());
  SLIPWAY_ASSERT(again && (a->children.empty() || *again == *a));
  for (const api::ElementPath& path : a->paths())
    SLIPWAY_ASSERT(a->contains(path) && !describe(path).empty());

  auto second = zero == std::string_view::npos ? Result<json::Value>(json::Object())
                                               : json::read(text.substr(zero + 1));
  if (!second) return 0;
  auto b = FieldSet::read(*second);
  if (!b) return 0;
  SLIPWAY_ASSERT(a->united(*b) == b->united(*a));
  SLIPWAY_ASSERT(a->intersected(*b) == b->intersected(*a));
  SLIPWAY_ASSERT(a->minus(*b).united(a->intersected(*b)) == *a);
  SLIPWAY_ASSERT(a->minus(*b).intersected(*b).empty());
  FieldSet trees_gone = *a;
  trees_gone.remove_trees(*b);
  SLIPWAY_ASSERT(trees_gone.minus(a->minus(*b)).empty());
  return 0;
}
