#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "cli/completion.h"
#include "cli/session.h"

namespace slipway::cli {

// How commands are spelt, and what is said when they are misspelt. The files that define commands
// are the only ones that see CLI11.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // `work` runs when the command was named and understood; it gives the exit code.
  CLI::App* add(const std::string& name, const std::string& help, const std::string& example,
                std::function<int()> work);
  // A command that is followed by a verb: `slipway rollout promote web`.
  CLI::App* add_group(const std::string& name, const std::string& help, const std::string& example);
  CLI::App* add_verb(CLI::App* group, const std::string& name, const std::string& help,
                     const std::string& example, std::function<int()> work);
  // --kubeconfig, --context and -n; users may write them before the command or the verb, too.
  void add_server_flags(CLI::App* command, ServerFlags& flags);
  // -o; other words than these are refused.
  void add_output(CLI::App* command, std::string& output, const std::vector<std::string>& words);
  // Offers them for completion; `only` refuses what is none of them, too.
  void offer(const CLI::Option* option, const std::vector<std::string>& words);
  void only(CLI::Option* option, const std::vector<std::string>& words);
  // Refuses what is no whole number within these bounds; `right` says what it is, and what to
  // write.
  struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
  };
  static void number(CLI::Option* option, Bounds bounds, const std::string& right);
  // Without `option` the command cannot work; `advice` says what to write.
  void need(CLI::App* command, const CLI::Option* option, const std::string& advice);

  // The exit code of the command that was named, or kExitUsage.
  int run(int argc, const char* const* argv);

  // The program with everything added so far; `kinds` may follow the commands that take TYPE.
  CompletedCommand completed(const std::vector<std::string>& kinds) const;

 private:
  struct Need {
    const CLI::App* command = nullptr;
    const CLI::Option* option = nullptr;
    std::string advice = {};
  };

  int parse_and_run(int argc, const char* const* argv);
  int show_help();
  int refuse(const CLI::ParseError& problem);
  // Of `in`, which is the program or a group.
  int refuse_command(const CLI::App& in, const std::string& word);
  int refuse_missing_verb(const CLI::App& group);
  // Gives the command what was written before its name; says what is wrong with that.
  std::string hand_over_server_flags(const CLI::App* command);
  CompletedCommand completed(const CLI::App& command, const std::vector<std::string>& kinds) const;

  CLI::App app_;
  std::function<int()> chosen_;
  ServerFlags before_;                                  // written before the command
  std::vector<std::string> topic_;                      // of help
  std::map<const CLI::App*, ServerFlags> group_flags_;  // written between group and verb
  std::map<const CLI::App*, ServerFlags*> server_flags_;
  std::vector<Need> needs_;
  std::map<const CLI::Option*, std::vector<std::string>> words_;
};

}  // namespace slipway::cli
