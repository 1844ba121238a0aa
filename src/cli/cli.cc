#include "cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>

#include "api/registry.h"
#include "base/log.h"
#include "cli/apply.h"
#include "cli/completion.h"
#include "cli/crds.h"
#include "cli/describe.h"
#include "cli/eval.h"
#include "cli/exit_code.h"
#include "cli/get.h"
#include "cli/lint.h"
#include "cli/output.h"
#include "cli/remove.h"
#include "cli/serve.h"
#include "cli/version.h"
#include "cli/wait.h"

namespace slipway::cli {

namespace {

// Everything the command line may say. One struct, filled by CLI11, read by the command that was
// named.
struct Options {
  ServeOptions serve;
  ApplyOptions apply;
  GetOptions get;
  DescribeOptions describe;
  RemoveOptions remove;
  WaitOptions wait;
  EvalOptions eval;
  LintOptions lint;
  VersionOptions version;
  std::string shell;
  std::string crd_folder = "deploy/crds";
};

class CommandLine {
 public:
  CommandLine()
      : app_("slipway answers: is this change good enough to go further? Then it moves the change.",
             "slipway") {
    app_.require_subcommand(1);
    app_.set_help_all_flag("--help-all", "help for all commands");
    app_.footer(
        "Start with:  slipway serve &   slipway apply -f examples/   slipway get rollouts -A");
    add_serve();
    add_apply();
    add_get();
    add_describe();
    add_delete();
    add_wait();
    add_eval();
    add_lint();
    add_others();
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
      return app_.exit(problem) == 0 ? kExitDone : kExitUsage;
    }
    return chosen_();
  }

 private:
  CLI::App* add(const std::string& name, const std::string& help, const std::string& example,
                std::function<int()> work) {
    CLI::App* command = app_.add_subcommand(name, help);
    if (!example.empty()) command->footer("Examples:\n" + example);
    command->callback([this, work] { chosen_ = work; });
    return command;
  }

  static void add_server_flags(CLI::App* command, ServerFlags& flags) {
    command->add_option("--kubeconfig", flags.kubeconfig,
                        "kubeconfig of the server (default $KUBECONFIG, then our own)");
    command->add_option("--context", flags.context, "context of the kubeconfig");
    command->add_option("-n,--namespace", flags.ns, "namespace");
  }

  void add_serve() {
    auto& o = options_.serve;
    auto* command = add("serve", "run the server",
                        "  slipway serve\n  slipway serve --data ./state --port 0\n"
                        "  KUBECONFIG=./state/kubeconfig kubectl get all\n"
                        "  slipway serve --kubeconfig ~/.kube/config --context staging",
                        [&o] { return serve(o); });
    command->add_option("--data", o.data, "folder for the database, tokens and certificates");
    command->add_option("--address", o.address, "address to listen on")->capture_default_str();
    command->add_option("--port", o.port, "port to listen on; 0 takes any free one")
        ->capture_default_str();
    command->add_option("--host", o.hosts, "another name clients call this server by (repeat it)");
    command->add_flag("--memory", o.memory, "keep no objects on disk");
    command->add_option("--kubeconfig", o.kubeconfig,
                        "work for this cluster, which keeps the objects, instead");
    command->add_option("--context", o.context, "context of the kubeconfig");
    command->add_flag("--in-cluster", o.in_cluster,
                      "work for the cluster we run in, by our Pod's service account");
    command->add_option("--lease-namespace", o.lease_namespace,
                        "namespace of the Lease by which one of several copies leads");
  }

  void add_apply() {
    auto& o = options_.apply;
    auto* command = add("apply", "bring objects in line with manifests, and say what changed",
                        "  slipway apply -f web.yaml\n  slipway apply -f examples/\n  cat web.yaml "
                        "| slipway apply -f -",
                        [&o] { return apply(o); });
    add_server_flags(command, o.server);
    command->add_option("-f,--filename", o.files, "file, folder or - for standard input")
        ->required();
    command->add_flag("--dry-run", o.dry_run, "let the server check, write nothing");
    command->add_flag("--force-conflicts", o.force_conflicts,
                      "take over fields that another manager owns");
    command->add_option("--field-manager", o.manager, "name to own the fields by")
        ->capture_default_str();
    command->add_option("-o,--output", o.output, "json, yaml or name");
  }

  void add_get() {
    auto& o = options_.get;
    auto* command = add("get", "show objects",
                        "  slipway get rollouts -A\n  slipway get rollout web -o yaml\n  slipway "
                        "get experiments -w",
                        [&o] { return get(o); });
    add_server_flags(command, o.server);
    command->add_option("what", o.words, "TYPE[,TYPE] [NAME…] or TYPE/NAME…")->required();
    command->add_flag("-A,--all-namespaces", o.all_namespaces, "in all namespaces");
    command->add_option("-l,--selector", o.selector, "labels: app=web,tier in (a,b)");
    command->add_option("--field-selector", o.field_selector, "fields: metadata.name=web");
    command->add_option("-o,--output", o.output, "json, yaml, wide or name");
    command->add_flag("-w,--watch", o.watch, "go on showing changes");
    command->add_flag("--show-labels", o.show_labels, "a column of labels");
    command->add_flag("--no-headers", o.no_headers, "rows only");
    command->add_flag("--show-managed-fields", o.show_managed_fields,
                      "with json and yaml: who owns which field");
    command->add_option("--chunk-size", o.chunk_size, "objects a request; 0 asks for all at once")
        ->capture_default_str();
  }

  void add_describe() {
    auto& o = options_.describe;
    auto* command = add("describe", "show objects in full, with what happened to them",
                        "  slipway describe rollout web -n shop", [&o] { return describe(o); });
    add_server_flags(command, o.server);
    command->add_option("what", o.words, "TYPE [NAME…] or TYPE/NAME…")->required();
    command->add_option("-l,--selector", o.selector, "labels: app=web");
    command->add_flag("-A,--all-namespaces", o.all_namespaces, "in all namespaces");
  }

  void add_delete() {
    auto& o = options_.remove;
    auto* command = add("delete", "delete objects and wait until they are gone",
                        "  slipway delete rollout web\n  slipway delete -f web.yaml\n  slipway "
                        "delete experiments --all",
                        [&o] { return remove(o); });
    add_server_flags(command, o.server);
    command->add_option("what", o.words, "TYPE NAME… or TYPE/NAME…");
    command->add_option("-f,--filename", o.files, "file, folder or - for standard input");
    command->add_option("-l,--selector", o.selector, "labels: app=web");
    command->add_flag("--all", o.all, "all objects of the type in the namespace");
    command->add_flag("--ignore-not-found", o.ignore_not_found,
                      "an object that is not there is no failure");
    command->add_option("--cascade", o.cascade, "background, foreground or orphan")
        ->capture_default_str();
    command->add_flag("--wait,!--no-wait", o.wait, "wait until they are gone (default)");
    command->add_option("--timeout", o.timeout, "how long to wait")->capture_default_str();
    command->add_flag("--dry-run", o.dry_run, "let the server check, delete nothing");
  }

  void add_wait() {
    auto& o = options_.wait;
    auto* command = add(
        "wait", "wait until objects are as wanted",
        "  slipway wait experiment web --for=jsonpath='{.status.phase}'=Successful --timeout=10m\n"
        "  slipway wait namespace shop --for=delete",
        [&o] { return wait(o); });
    add_server_flags(command, o.server);
    command->add_option("what", o.words, "TYPE NAME… or TYPE/NAME…")->required();
    command
        ->add_option("--for", o.wanted,
                     "delete, create, condition=NAME[=VALUE] or jsonpath='{.path}'=VALUE")
        ->required();
    command->add_option("--timeout", o.timeout, "how long to wait")->capture_default_str();
    command->add_option("-l,--selector", o.selector, "labels: app=web");
    command->add_flag("--all", o.all, "all objects of the type in the namespace");
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
    command->add_option("-o,--output", o.output, "json or yaml");
  }

  void add_lint() {
    auto& o = options_.lint;
    auto* command =
        add("lint", "check manifests; needs no server",
            "  slipway lint examples/\n  slipway lint web.yaml -o json", [&o] { return lint(o); });
    command->add_option("paths", o.paths, "files, folders or -")->required();
    command->add_option("-o,--output", o.output, "json or yaml");
  }

  void add_others() {
    auto& o = options_.version;
    auto* shown =
        add("version", "show the version, and the server's", "", [&o] { return version(o); });
    add_server_flags(shown, o.server);
    shown->add_flag("--client", o.client_only, "do not ask the server");
    shown->add_option("-o,--output", o.output, "json or yaml");

    auto* shell = add("completion", "print the completion script of a shell",
                      "  source <(slipway completion bash)", [this] { return complete(); });
    shell->add_option("shell", options_.shell, "bash, zsh or fish")->required();

    auto* crds = add("crds", "write the CustomResourceDefinitions of our kinds", "",
                     [this] { return write_crds(options_.crd_folder); });
    crds->add_option("folder", options_.crd_folder, "where to")->capture_default_str();
  }

  // What may follow each command, from the very definitions above.
  int complete() {
    std::vector<std::string> kinds;
    for (const auto& resource : api::Registry::make()->all()) kinds.push_back(resource->plural);
    std::vector<CompletedCommand> commands;
    for (const CLI::App* command : app_.get_subcommands({})) {
      CompletedCommand completed{.name = command->get_name(),
                                 .help = command->get_description(),
                                 .flags = {},
                                 .arguments = {}};
      for (const CLI::Option* option : command->get_options()) {
        for (const auto& name : option->get_lnames()) completed.flags.push_back("--" + name);
        for (const auto& name : option->get_snames()) completed.flags.push_back("-" + name);
        if (option->get_name(true) == "what") completed.arguments = kinds;
        if (option->get_name(true) == "shell") completed.arguments = {"bash", "zsh", "fish"};
        completed.files =
            completed.files || option->get_name(true) == "paths" || option->check_lname("filename");
      }
      commands.push_back(std::move(completed));
    }
    auto script = completion_script(options_.shell, commands);
    if (!script) return complain(script.error()), kExitUsage;
    print(*script);
    return kExitDone;
  }

  Options options_;
  CLI::App app_;
  std::function<int()> chosen_;
};

}  // namespace

int run(int argc, char** argv) { return CommandLine().run(argc, argv); }

}  // namespace slipway::cli
