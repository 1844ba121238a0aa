#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/player/stage.h"

namespace slipway::scenario {

// `phase=Healthy`, `message~timed out`, `count>=2`.
struct Comparison {
  enum class How { kEqual, kDifferent, kContains, kAtLeast, kAtMost };
  std::string field;
  How how = How::kEqual;
  std::string value;
};

// What follows the word `expect`:
//   KIND/NAME FIELD=VALUE…      one object; `gone` instead of fields: there is none
//   KINDs count=N FIELD=VALUE…  how many there are of which this is so
//   event REASON count=N        how often this was told
struct Expectation {
  std::string text = {};
  api::Gvr kind = {};
  std::string name = {};  // of an object, or the reason of events
  bool gone = false;
  std::optional<Comparison> count = {};
  std::vector<Comparison> fields = {};
};

// Errors: kInvalid.
Result<Expectation> parse_expectation(const std::vector<std::string>& words);
// Empty when it is so; else how it is instead. Errors: those of the store.
Task<Result<std::string>> check(Stage& stage, Expectation wanted);

// The ReplicaSets that an object controls, by revision, then by name.
Task<Result<std::vector<json::Value>>> owned_sets(Stage& stage, json::Value owner);
// The set of a revision; 0: the one before the last. Null when there is none.
const json::Value* find_revision(const std::vector<json::Value>& sets, int revision);

}  // namespace slipway::scenario
