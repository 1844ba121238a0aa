#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/version.h"

namespace slipway::cli {

namespace {

// Positionals of which completion knows the words: what takes TYPE, and what help is about.
constexpr const char* kWhat = "what";
constexpr const char* kTopic = "command";
const std::set<std::string> kTakeFiles{"filename",   "kubeconfig", "data",   "batch",  "control",
                                       "experiment", "paths",      "folder", "secret", "report",
                                       "providers",  "history",    "replay", "images", "end"};

void add_flags(CLI::App& app, ServerFlags& flags) {
  app.add_option("--kubeconfig", flags.kubeconfig,
                 "kubeconfig of the server (default $KUBECONFIG, then our own)");
  app.add_option("--context", flags.context, "context of the kubeconfig");
  app.add_option("-n,--namespace", flags.ns, "namespace")
      ->check(
          [](const std::string& word) {
            return word.find('/') == std::string::npos
                       ? std::string()
                       : fmt::format("\"{}\" is no namespace; write its name alone", word);
          },
          "");
}

// CLI11 begins its sentences with a capital; ours are clauses.
std::string as_clause(std::string text) {
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = text::lower(text)[0];
  return text;
}

// "rollout promote"
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr || parent->get_parent() == nullptr
             ? command.get_name()
             : full_name(*parent) + " " + command.get_name();
}

bool is_group(const CLI::App& command) { return !command.get_subcommands({}).empty(); }

// The innermost command that was named; the program itself when none was.
const CLI::App* named_in(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// What CLI11 says of one option's values, in our words; empty for what it says well.
std::string misread(const CLI::Option& option, std::string_view said) {
  const std::string name = option.get_name();
  const auto& found = option.results();
  if (said.starts_with(fmt::format("{}: At Most 1 ", name)))
    return fmt::format("{}: given {} times ({}); give it once", name, found.size(),
                       fmt::join(found, ", "));
  if (!said.starts_with(fmt::format("Could not convert: {} = ", name))) return {};
  const bool is_flag = option.get_items_expected_max() == 0;
  return fmt::format("{}: \"{}\" is {}", name, fmt::join(found, ","),
                     is_flag ? fmt::format("neither true nor false; write {} alone", name)
                             : "not a number that can be used here; write another");
}

std::string in_our_words(const CLI::App& command, const CLI::ParseError& problem) {
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options())
      if (std::string text = misread(*option, problem.what()); !text.empty()) return text;
  return as_clause(problem.what());
}

}  // namespace

CommandLine::CommandLine()
    : app_("slipway answers: is this change good enough to go further? Then it moves the change.",
           "slipway") {
  app_.require_subcommand(0, 1);
  app_.set_version_flag("--version", fmt::format("slipway {}", kVersion));
  app_.set_help_all_flag("--help-all", "help for all commands");
  app_.footer(
      "See it:      slipway demo\n"
      "Start with:  slipway serve --images examples/demo/images.conf &\n"
      "             slipway apply -f examples/\n             slipway rollout list");
  add_flags(app_, before_);
  auto* help =
      add("help", "help for a command", "  slipway help get", [this] { return show_help(); });
  help->add_option(kTopic, topic_, "the command, and its verb");
}

CLI::App* CommandLine::add(const std::string& name, const std::string& help,
                           const std::string& example, std::function<int()> work) {
  CLI::App* command = app_.add_subcommand(name, help);
  if (!example.empty()) command->footer("Examples:\n" + example);
  command->callback([this, work = std::move(work)] { chosen_ = work; });
  return command;
}

CLI::App* CommandLine::add_group(const std::string& name, const std::string& help,
                                 const std::string& example) {
  CLI::App* group = app_.add_subcommand(name, help);
  group->footer("Examples:\n" + example);
  group->require_subcommand(0, 1);
  add_flags(*group, group_flags_[group]);
  return group;
}

CLI::App* CommandLine::add_verb(CLI::App* group, const std::string& name, const std::string& help,
                                const std::string& example, std::function<int()> work) {
  CLI::App* verb = group->add_subcommand(name, help);
  verb->footer("Examples:\n" + example);
  verb->callback([this, work = std::move(work)] { chosen_ = work; });
  return verb;
}

void CommandLine::add_server_flags(CLI::App* command, ServerFlags& flags) {
  add_flags(*command, flags);
  server_flags_[command] = &flags;
}

void CommandLine::add_output(CLI::App* command, std::string& output,
                             const std::vector<std::string>& words) {
  only(command->add_option("-o,--output", output, text::either(words)), words);
}

void CommandLine::offer(const CLI::Option* option, const std::vector<std::string>& words) {
  words_[option] = words;
}

void CommandLine::only(CLI::Option* option, const std::vector<std::string>& words) {
  offer(option, words);
  option->check(
      [words](const std::string& word) {
        const bool known = std::ranges::find(words, word) != words.end();
        return known ? std::string()
                     : fmt::format("\"{}\" is not known here; write {}", word, text::either(words));
      },
      "");
}

void CommandLine::number(CLI::Option* option, Bounds bounds, const std::string& right) {
  option->check(
      [bounds, right](const std::string& word) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool whole = error == std::errc{} && end == word.data() + word.size();
        return whole && number >= bounds.least && number <= bounds.most
                   ? std::string()
                   : fmt::format("\"{}\" is not {}", word, right);
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
  const CLI::App* command = named_in(app_);
  if (is_group(*command)) return refuse_missing_verb(*command);
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
  const CLI::App* named = named_in(app_);
  for (const CLI::App* in : {static_cast<const CLI::App*>(&app_), named}) {
    const auto unknown = in->remaining();
    const bool is_word = !unknown.empty() && !unknown.front().starts_with("-");
    if (is_word && is_group(*in)) return refuse_command(*in, unknown.front());
  }
  const std::string name = named == &app_ ? "" : full_name(*named) + " ";
  note(fmt::format("slipway: {}\nRun `slipway {}--help` for what there is.",
                   in_our_words(*named, problem), name));
  return kExitUsage;
}

int CommandLine::refuse_command(const CLI::App& in, const std::string& word) {
  const auto names = commands_of(in);
  const auto meant = text::likely(word, {names.begin(), names.end()});
  const std::string of = &in == &app_ ? "" : fmt::format(" of `{}`", in.get_name());
  note(fmt::format("slipway: unknown command \"{}\"{}; {}write {}", word, of,
                   meant.empty() ? "" : fmt::format("did you mean \"{}\"? Else ", meant),
                   text::either(names)));
  return kExitUsage;
}

int CommandLine::refuse_missing_verb(const CLI::App& group) {
  note(fmt::format("slipway: say what to do: {}; see `slipway {} --help`",
                   text::either(commands_of(group)), group.get_name()));
  return kExitUsage;
}

int CommandLine::show_help() {
  const CLI::App* command = &app_;
  for (const std::string& word : topic_) {
    const auto known = command->get_subcommands({});
    const auto found =
        std::ranges::find(known, word, [](const CLI::App* one) { return one->get_name(); });
    if (found == known.end()) return refuse_command(*command, word);
    command = *found;
  }
  // Not help() of the program: that would be of the command which was named, `help` itself.
  const std::string name = command == &app_ ? "slipway" : "slipway " + full_name(*command);
  return print(app_.get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal)),
         kExitDone;
}

std::string CommandLine::hand_over_server_flags(const CLI::App* command) {
  ServerFlags before = before_;
  const auto prefer = [](ServerFlags& flags, const ServerFlags& other) {
    if (!other.kubeconfig.empty()) flags.kubeconfig = other.kubeconfig;
    if (!other.context.empty()) flags.context = other.context;
    if (!other.ns.empty()) flags.ns = other.ns;
  };
  if (const auto group = group_flags_.find(command->get_parent()); group != group_flags_.end())
    prefer(before, group->second);
  if (before.kubeconfig.empty() && before.context.empty() && before.ns.empty()) return {};
  const auto found = server_flags_.find(command);
  const std::string& name = command->get_name();
  if (found == server_flags_.end())
    return fmt::format(
        "--kubeconfig, --context and -n before `{}` name a server to talk to, and it talks to "
        "none; see `slipway {} --help`",
        name, name);
  prefer(before, *found->second);
  *found->second = before;
  return {};
}

CompletedCommand CommandLine::completed(const std::vector<std::string>& kinds) const {
  return completed(app_, kinds);
}

CompletedCommand CommandLine::completed(const CLI::App& command,
                                        const std::vector<std::string>& kinds) const {
  CompletedCommand out{.name = command.get_name(), .help = command.get_description()};
  for (const CLI::App* verb : command.get_subcommands({}))
    out.verbs.push_back(completed(*verb, kinds));
  for (const CLI::Option* option : command.get_options()) {
    const auto found = words_.find(option);
    const auto words = found == words_.end() ? std::vector<std::string>{} : found->second;
    const auto& longs = option->get_lnames();
    const std::string name = longs.empty() ? option->get_name(true) : longs.front();
    const bool files = kTakeFiles.contains(name);
    if (option->get_positional()) {
      out.arguments = name == kWhat ? kinds : name == kTopic ? commands_of(app_) : words;
      out.files = out.files || files;
    } else {
      const bool takes_value = option->get_items_expected_max() > 0;
      out.flags.push_back({names_of(*option), takes_value, words, files});
    }
  }
  return out;
}

}  // namespace slipway::cli
