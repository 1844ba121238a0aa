#include "cli/cli.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "api/registry.h"
#include "cli/completion.h"
#include "cli/crds.h"
#include "cli/demo/app.h"
#include "cli/demo/demo.h"
#include "cli/eval.h"
#include "cli/evidence_commands.h"
#include "cli/exit_code.h"
#include "cli/experiment_command.h"
#include "cli/judge.h"
#include "cli/lint.h"
#include "cli/output.h"
#include "cli/render.h"
#include "cli/rollout/command.h"
#include "cli/server_commands.h"
#include "cli/version.h"

namespace slipway::cli {

namespace {

// Everything the command line may say. One struct, filled by CLI11, read by the command that was
// named.
struct Options {
  EvalOptions eval;
  JudgeOptions judge;
  LintOptions lint;
  RenderOptions render;
  VersionOptions version;
  std::string shell;
  std::string crd_folder;
};

// The commands that need no server, and small ones.
class ToolCommands {
 public:
  explicit ToolCommands(CommandLine& line) : line_(line) {
    add_eval();
    add_judge();
    add_lint();
    add_render();
    add_others();
  }

 private:
  CLI::App* add(const std::string& name, const std::string& help, const std::string& example,
                std::function<int()> work) {
    return line_.add(name, help, example, std::move(work));
  }

  void add_eval() {
    auto& o = options_.eval;
    auto* command = add("eval", "evaluate a condition on a result; needs no server",
                        "  slipway eval 'result[0] < 0.95' --result '[0.9]'\n  slipway eval "
                        "'result.errors / result.total < 0.01' --result '{\"errors\": 1, "
                        "\"total\": 500}'\n  slipway eval --batch cases.jsonl",
                        [&o] { return eval(o); });
    command->add_option("condition", o.condition, "what must hold of `result`");
    command->add_option("--result", o.result, "JSON; NaN and Infinity are numbers too")
        ->capture_default_str();
    command->add_flag("--ints", o.ints, "numbers without point or exponent are integers");
    command->add_option("--batch", o.batch, "one JSON case a line, from a file or -");
    line_.add_output(command, o.output, {"json", "yaml"});
  }

  void add_judge() {
    auto& o = options_.judge;
    auto* command = add("judge", "compare two samples of a metric; needs no server",
                        "  slipway judge --control before.txt --experiment after.txt --direction "
                        "increase\n  slipway judge --control a.json --experiment b.json --method "
                        "kayenta --option tolerance=0.1\n  slipway judge --batch cases.jsonl",
                        [&o] { return judge(o); });
    command->add_option("--control", o.control, "file of numbers, or -");
    command->add_option("--experiment", o.experiment, "file of numbers, or -");
    line_.offer(
        command->add_option("--method", o.method,
                            "mann-whitney (default), kayenta, signed-rank, "
                            "stratified-rank, counts or distribution"),
        {"mann-whitney", "kayenta", "signed-rank", "stratified-rank", "counts", "distribution"});
    line_.offer(command->add_option("--direction", o.direction,
                                    "which difference fails: increase, decrease or either "
                                    "(default)"),
                {"increase", "decrease", "either"});
    command->add_option("--option", o.options, "name=value of the method (repeat it)");
    command->add_option("--batch", o.batch, "one JSON case a line, from a file or -");
    line_.add_output(command, o.output, {"json", "yaml"});
  }

  void add_lint() {
    auto& o = options_.lint;
    auto* command =
        add("lint", "check manifests; needs no server",
            "  slipway lint examples/\n  slipway lint web.yaml -o json", [&o] { return lint(o); });
    line_.need(command, command->add_option("paths", o.paths, "files, folders or -"),
               "say what to check: files, folders or -; for example: slipway lint web.yaml");
    line_.add_output(command, o.output, {"json", "yaml"});
  }

  void add_render() {
    auto& o = options_.render;
    auto* command = add("render", "put data into a query as its dialect does; needs no server",
                        "  slipway render --text '{{ .a }}' --data '{\"a\": 1}'\n  slipway render "
                        "--engine argo --text '{{args.x}}' --data '{\"args\": {\"x\": \"1\"}}'\n"
                        "  slipway render -f analysis.yaml --arg service=web\n"
                        "  slipway render -f app.pipecd.yaml --variant canary",
                        [&o] { return render(o); });
    command->add_option("--text", o.text, "the template");
    command->add_option("--data", o.data, "JSON to render it with")->capture_default_str();
    command->add_option("-f,--filename", o.files,
                        "manifests, all of whose queries are rendered: file, folder or -");
    command->add_option("--arg", o.args, "name=value of an argument of theirs (repeat it)")
        ->allow_extra_args(false);
    line_.only(command->add_option("--variant", o.variant,
                                   "PipeCD's: canary, baseline or primary (default: those that "
                                   "are asked about)"),
               {"canary", "baseline", "primary"});
    line_.only(command->add_option("--engine", o.engine, "go, flagger, pipecd or argo")
                   ->capture_default_str(),
               {"go", "flagger", "pipecd", "argo"});
    command->add_flag("--ints", o.ints, "numbers without point or exponent are integers (go)");
    command->add_option("--batch", o.batch, "one JSON case a line, from a file or -");
    line_.add_output(command, o.output, {"json", "yaml"});
  }

  void add_others() {
    auto& o = options_.version;
    auto* shown =
        add("version", "show the version, and the server's",
            "  slipway version\n  slipway version --client -o json", [&o] { return version(o); });
    line_.add_server_flags(shown, o.server);
    shown->add_flag("--client", o.client_only, "do not ask the server");
    line_.add_output(shown, o.output, {"json", "yaml"});

    auto* shell = add("completion", "print the completion script of a shell",
                      "  source <(slipway completion bash)", [this] { return complete(); });
    auto* name = shell->add_option("shell", options_.shell, "bash, zsh or fish");
    line_.only(name, {"bash", "zsh", "fish"});
    line_.need(shell, name, "say which shell; for example: slipway completion bash");

    add("crds", "print the CustomResourceDefinitions of our kinds; needs no server",
        "  slipway crds | kubectl apply -f -\n  slipway crds deploy/crds",
        [this] { return crds(options_.crd_folder); })
        ->add_option("folder", options_.crd_folder, "write them there instead, one file a kind");
  }

  int complete() {
    std::set<std::string> kinds;
    for (const auto& resource : api::Registry::make()->all())
      if (resource->stored) kinds.insert(resource->plural);
    const auto script =
        completion_script(options_.shell, line_.completed({kinds.begin(), kinds.end()}));
    if (!script) return complain(script.error()), kExitUsage;
    print(*script);
    return kExitDone;
  }

  Options options_;
  CommandLine& line_;
};

}  // namespace

int run(int argc, char** argv) {
  ServerCommands servers;
  ExperimentOptions experiment;
  RolloutOptions rollout;
  EvidenceCommands evidence;
  DemoOptions demo;
  DemoAppOptions demo_app;
  CommandLine line;
  add_server_commands(line, servers);
  add_rollout_commands(line, rollout);
  add_experiment_commands(line, experiment);
  ToolCommands tools(line);
  add_evidence_commands(line, evidence);
  add_demo_command(line, demo);
  add_demo_app_command(line, demo_app);
  return line.run(argc, argv);
}

}  // namespace slipway::cli
