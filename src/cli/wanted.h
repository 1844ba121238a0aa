#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

// Which objects a command is about: TYPE[,TYPE…] [NAME…] or TYPE/NAME…, and the flags that choose.
namespace slipway::cli {

struct Choice {
  std::vector<std::string> words = {};
  std::string selector = {};
  std::string field_selector = {};
  bool all = false;
  bool all_namespaces = false;
  bool must_choose = false;  // a type alone is not enough: names, a selector or --all
  bool watch = false;        // one thing only
};

// kInvalid when words and flags contradict each other, worded as kubectl does; needs no server.
Result<> check_choice(const Choice& choice);

// A kind of Argo Rollouts, as it is served everywhere.
ServedKind argo_kind(std::string singular, std::string kind, std::string short_name);

// NAME of NAME or TYPE/NAME, for commands that are about one kind. kInvalid for another slash.
Result<std::string> parse_name(const ServedKind& kind, const std::string& word);

// The kinds asked for, each with its names (none: all of them).
struct Wanted {
  ServedKind kind;
  std::vector<std::string> names = {};
};
// `words` as check_choice() passed them.
Task<Result<std::vector<Wanted>>> find_wanted(Session& session, std::vector<std::string> words);

// The objects themselves: those named, or those a list of the kind gives.
struct Target {
  ServedKind kind;
  std::string ns;
  std::string name;
};
Task<Result<std::vector<Target>>> find_targets(Session& session, std::vector<std::string> words,
                                               std::string selector);

}  // namespace slipway::cli
