#include "cli/rollout/command.h"

#include <fmt/format.h>

namespace slipway::cli {

namespace {

constexpr const char* kExamples =
    "  slipway rollout get web -w\n  slipway rollout set image web web=example/web:2.0\n"
    "  slipway rollout status web --timeout 10m\n  slipway rollout promote web\n"
    "  slipway rollout abort web\n  slipway rollout undo web";

// `slipway rollout VERB`: its flags are those that make sense for it.
class Verbs {
 public:
  Verbs(CommandLine& line, RolloutOptions& options) : line_(line), o_(options) {
    group_ = line_.add_group("rollout", "follow and steer a Rollout", kExamples);
    add_showing();
    add_steering();
    add_going_back();
    add_set();
    add_terminate();
  }

 private:
  CLI::App* add(const std::string& verb, const std::string& help, const std::string& example) {
    auto* command = line_.add_verb(group_, verb, help, example, [&o = o_, verb] {
      o.verb = verb;
      return rollout_command(o);
    });
    line_.add_server_flags(command, o_.server);
    return command;
  }

  CLI::App* add_named(const std::string& verb, const std::string& help,
                      const std::string& example) {
    auto* command = add(verb, help, example);
    line_.need(command, command->add_option("name", o_.name, "the Rollout's name"),
               fmt::format("say which one: slipway rollout {} NAME", verb));
    return command;
  }

  // One that changes something, and says so.
  CLI::App* add_changing(const std::string& verb, const std::string& help,
                         const std::string& example) {
    auto* command = add_named(verb, help, example);
    line_.add_output(command, o_.output, {"json", "yaml", "name"});
    return command;
  }

  void add_showing() {
    auto* get = add_named("get", "show a Rollout with all that belongs to it",
                          "  slipway rollout get web\n  slipway rollout get web -w");
    get->add_flag("-w,--watch", o_.watch, "go on showing what changes");
    line_.add_output(get, o_.output, {"json", "yaml"});

    auto* list = add("list", "show the Rollouts of a namespace in a table",
                     "  slipway rollout list\n  slipway rollout list -A -w");
    list->add_flag("-w,--watch", o_.watch, "go on showing what changes");
    list->add_flag("-A,--all-namespaces", o_.all_namespaces, "in all namespaces");
    line_.add_output(list, o_.output, {"json", "yaml"});

    auto* status = add_named(
        "status", "wait until a Rollout is Healthy (exit code 0) or Degraded (1)",
        "  slipway rollout status web --timeout 10m\n  slipway rollout status web --no-wait");
    status->add_option("--timeout", o_.timeout,
                       "how long to wait, then exit code 1 (default: as long as it takes)");
    status->add_flag("--wait,!--no-wait", o_.wait, "wait (default); else say how it is now");
  }

  void add_steering() {
    auto* promote =
        add_changing("promote", "let an update go on: past its pause, or past its current step",
                     "  slipway rollout promote web\n"
                     "  slipway rollout promote web --full");
    promote->add_flag("--full", o_.full,
                      "past all steps, pauses and analyses, to the end of the update");
    add_changing("pause", "hold an update where it is; promote lets it go on",
                 "  slipway rollout pause web");
    add_changing("abort", "stop an update, and return to the stable version",
                 "  slipway rollout abort web");
    add_changing("retry", "begin an aborted update anew", "  slipway rollout retry web");
    auto* restart = add_changing("restart", "replace all Pods by new ones of the same version",
                                 "  slipway rollout restart web\n"
                                 "  slipway rollout restart web --in 10m");
    restart->add_option("-i,--in", o_.in, "not now, but so much later: 30s, 10m, 1h");
  }

  void add_going_back() {
    auto* undo = add_changing("undo", "go back to the Pod template of an earlier revision",
                              "  slipway rollout undo web\n"
                              "  slipway rollout undo web --to-revision 3");
    line_.number(undo->add_option("--to-revision", o_.to_revision,
                                  "which one (default: what ran before this update)"),
                 {}, "a revision; write its number, as `slipway rollout get` shows it: 3");
  }

  void add_set() {
    auto* set = add("set", "set the image of a container, which begins an update",
                    "  slipway rollout set image web web=example/web:2.0\n"
                    "  slipway rollout set image web '*=example/web:2.0'");
    auto* words = set->add_option("words", o_.words, "image NAME CONTAINER=IMAGE…");
    line_.offer(words, {"image"});
    line_.need(set, words, "say what to set: slipway rollout set image NAME CONTAINER=IMAGE");
    line_.add_output(set, o_.output, {"json", "yaml", "name"});
  }

  void add_terminate() {
    auto* terminate = add("terminate", "end an AnalysisRun or an Experiment early",
                          "  slipway rollout terminate analysisrun web-6cf78c66c5-2\n"
                          "  slipway rollout terminate experiment web-6cf78c66c5-2-0");
    auto* words = terminate->add_option("words", o_.words, "analysisrun|experiment NAME");
    line_.offer(words, {"analysisrun", "experiment"});
    line_.need(terminate, words,
               "say what to end: slipway rollout terminate analysisrun NAME, or experiment NAME");
    line_.add_output(terminate, o_.output, {"json", "yaml", "name"});
  }

  CommandLine& line_;
  RolloutOptions& o_;
  CLI::App* group_ = nullptr;
};

}  // namespace

void add_rollout_commands(CommandLine& line, RolloutOptions& options) { Verbs(line, options); }

}  // namespace slipway::cli
