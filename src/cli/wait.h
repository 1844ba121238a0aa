#pragma once

#include <optional>
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
// A condition counts only when it is of the object's generation, as far as it says of which it is.
bool fulfils(const json::Value& object, const Goal& goal);

// Whether the object that had the uid `first` is there no more, by the answer to a GET of its name:
// another one may have taken its name since. `first` is empty when there was none, nullopt when it
// is not known.
bool is_gone(const Result<json::Value>& answer, const std::optional<std::string>& first);

}  // namespace slipway::cli
