#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/version.h"

namespace slipway::cli {

namespace {

constexpr std::string_view kWhat = "what";  // the positional that takes TYPE
const std::set<std::string> kTakeFiles{"filename",   "kubeconfig", "data",   "batch",  "control",
                                       "experiment", "paths",      "folder", "secret", "report",
                                       "providers",  "history",    "replay"};

void add_flags(CLI::App& app, ServerFlags& flags) {
  app.add_option("--kubeconfig", flags.kubeconfig,
                 "kubeconfig of the server (default $KUBECONFIG, then our own)");
  app.add_option("--context", flags.context, "context of the kubeconfig");
  app.add_option("-n,--namespace", flags.ns, "namespace");
}

// CLI11 begins its sentences with a capital; ours are clauses.
std::string as_clause(std::string text) {
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = text::lower(text)[0];
  return text;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

}  // namespace

CommandLine::CommandLine()
    : app_("slipway answers: is this change good enough to go further? Then it moves the change.",
           "slipway") {
  app_.require_subcommand(0, 1);
  app_.set_version_flag("--version", fmt::format("slipway {}", kVersion));
  app_.set_help_all_flag("--help-all", "help for all commands");
  app_.footer(
      "Start with:  slipway serve &   slipway apply -f examples/   slipway get rollouts -A");
  add_flags(app_, before_);
  auto* help =
      add("help", "help for a command", "  slipway help get", [this] { return show_help(); });
  help->add_option("command", topic_, "the command");
}

CLI::App* CommandLine::add(const std::string& name, const std::string& help,
                           const std::string& example, std::function<int()> work) {
  CLI::App* command = app_.add_subcommand(name, help);
  if (!example.empty()) command->footer("Examples:\n" + example);
  command->callback([this, work = std::move(work)] { chosen_ = work; });
  return command;
}

void CommandLine::add_server_flags(CLI::App* command, ServerFlags& flags) {
  add_flags(*command, flags);
  server_flags_[command] = &flags;
}

void CommandLine::add_output(CLI::App* command, std::string& output,
                             const std::vector<std::string>& words) {
  only(command->add_option("-o,--output", output, text::either(words)), words);
}

void CommandLine::only(CLI::Option* option, const std::vector<std::string>& words) {
  words_[option] = words;
  option->check(
      [words](const std::string& word) {
        const bool known = std::ranges::find(words, word) != words.end();
        return known ? std::string()
                     : fmt::format("\"{}\" is not known here; write {}", word, text::either(words));
      },
      "");
}

void CommandLine::need(CLI::App* command, const CLI::Option* option, const std::string& advice) {
  needs_.push_back({.command = command, .option = option, .advice = advice});
}

int CommandLine::run(int argc, const char* const* argv) {
  return finish_output(parse_and_run(argc, argv));
}

int CommandLine::parse_and_run(int argc, const char* const* argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return refuse(problem);
  }
  if (app_.get_subcommands().empty()) return note(app_.help()), kExitUsage;
  const CLI::App* command = app_.get_subcommands().front();
  for (const Need& need : needs_)
    if (need.command == command && need.option->count() == 0)
      return note(fmt::format("slipway: {}", need.advice)), kExitUsage;
  if (const std::string problem = hand_over_server_flags(command); !problem.empty())
    return note(fmt::format("slipway: {}", problem)), kExitUsage;
  return chosen_();
}

int CommandLine::refuse(const CLI::ParseError& problem) {
  if (problem.get_exit_code() == 0) {  // --help and --version
    std::ostringstream text;
    app_.exit(problem, text, text);
    return print(text.str()), kExitDone;
  }
  const auto unknown = app_.remaining();
  if (!unknown.empty() && !unknown.front().starts_with("-")) return refuse_command(unknown.front());
  const auto named = app_.get_subcommands();
  note(fmt::format("slipway: {}\nRun `slipway {}--help` for what there is.",
                   as_clause(problem.what()), named.empty() ? "" : named[0]->get_name() + " "));
  return kExitUsage;
}

int CommandLine::refuse_command(const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
  const auto meant = text::likely(word, {names.begin(), names.end()});
  note(fmt::format("slipway: unknown command \"{}\"; {}write {}", word,
                   meant.empty() ? "" : fmt::format("did you mean \"{}\"? Else ", meant),
                   text::either(names)));
  return kExitUsage;
}

int CommandLine::show_help() {
  if (topic_.empty()) return print(app_.help()), kExitDone;
  for (const CLI::App* command : app_.get_subcommands({}))
    if (command->get_name() == topic_) return print(command->help()), kExitDone;
  return refuse_command(topic_);
}

std::string CommandLine::hand_over_server_flags(const CLI::App* command) {
  if (before_.kubeconfig.empty() && before_.context.empty() && before_.ns.empty()) return {};
  const auto found = server_flags_.find(command);
  const std::string& name = command->get_name();
  if (found == server_flags_.end())
    return fmt::format(
        "--kubeconfig, --context and -n before `{}` name a server to talk to, and it talks to "
        "none; see `slipway {} --help`",
        name, name);
  ServerFlags& flags = *found->second;
  if (flags.kubeconfig.empty()) flags.kubeconfig = before_.kubeconfig;
  if (flags.context.empty()) flags.context = before_.context;
  if (flags.ns.empty()) flags.ns = before_.ns;
  return {};
}

std::vector<CompletedCommand> CommandLine::completed(const std::vector<std::string>& kinds) const {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* command : app_.get_subcommands({}))
    commands.push_back(completed(*command, kinds));
  return commands;
}

CompletedCommand CommandLine::completed(const CLI::App& command,
                                        const std::vector<std::string>& kinds) const {
  CompletedCommand out{.name = command.get_name(), .help = command.get_description()};
  for (const CLI::Option* option : command.get_options()) {
    const auto found = words_.find(option);
    const auto words = found == words_.end() ? std::vector<std::string>{} : found->second;
    const auto& longs = option->get_lnames();
    const std::string name = longs.empty() ? option->get_name(true) : longs.front();
    const bool files = kTakeFiles.contains(name);
    if (option->get_positional()) {
      out.arguments = name == kWhat ? kinds : words;
      out.files = out.files || files;
    } else {
      const bool takes_value = option->get_items_expected_max() > 0;
      out.flags.push_back({names_of(*option), takes_value, words, files});
    }
  }
  return out;
}

}  // namespace slipway::cli
