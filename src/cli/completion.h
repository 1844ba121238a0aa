#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace slipway::cli {

// A flag as completion sees it.
struct CompletedFlag {
  std::vector<std::string> names;  // "--namespace", "-n"
  bool takes_value = false;
  std::vector<std::string> words = {};  // of the value; none: anything, and nothing is offered
  bool files = false;                   // the value is a file name
};

// A command as completion sees it, a group of them, and the program itself.
struct CompletedCommand {
  std::string name;
  std::string help;
  std::vector<CompletedFlag> flags = {};
  std::vector<std::string> arguments = {};   // words that may follow: kinds, shells
  bool files = false;                        // takes file names
  std::vector<CompletedCommand> verbs = {};  // of which one follows
};

// The completion script of a shell; the program's verbs are the commands. kInvalid names the shells
// there are.
Result<std::string> completion_script(std::string_view shell, const CompletedCommand& program);

}  // namespace slipway::cli
