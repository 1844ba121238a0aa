#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/session.h"

namespace slipway::cli {

struct WaitOptions {
  ServerFlags server = {};
  std::vector<std::string> words = {};
  std::string wanted = {};  // --for
  std::string timeout = "30s";
  std::string selector = {};
  bool all = false;
};

// Waits until every object fulfils --for; exit 1 when that takes longer than --timeout.
int wait(const WaitOptions& options);

// delete | create | condition=NAME[=VALUE] | jsonpath={.path}=VALUE
struct Goal {
  enum class Kind { kDelete, kCreate, kCondition, kJsonPath };
  Kind kind = Kind::kCondition;
  std::string name = {};   // of the condition, or the path
  std::string value = {};  // empty with jsonpath: any value
};
Result<Goal> parse_goal(std::string_view text);
bool fulfils(const json::Value& object, const Goal& goal);

}  // namespace slipway::cli
