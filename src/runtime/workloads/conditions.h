#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

// The status of the built-in workloads: conditions and counts.
namespace slipway::runtime {

struct Condition {
  std::string_view type = {};
  std::string_view status = {};  // True, False or Unknown
  std::string_view reason = {};
  std::string_view message = {};
};

// The condition of this type, or null.
const json::Object* condition_in(const json::Object& status, std::string_view type);
// Since when it has its status: now, where whoever wrote it did not say.
std::string since_of(const json::Object& condition, Time now);
bool has_condition(const json::Object& status, std::string_view type, std::string_view value);

// Puts it at the end, in place of one of its type. One with the same status and reason stays as it
// is; one with the same status keeps its lastTransitionTime. `update_field`: a second time that
// tells when it was last looked at (lastUpdateTime of Deployments, lastProbeTime of Jobs).
void put_condition(json::Object& status, const Condition& condition, Time now,
                   std::string_view update_field = {});
void remove_condition(json::Object& status, std::string_view type);

// As Go writes what is left out when it is zero.
void set_count(json::Object& status, std::string_view field, std::int64_t count);

}  // namespace slipway::runtime
