#include "cli/server_commands.h"

#include <limits>

namespace slipway::cli {

namespace {

void add_serve(CommandLine& line, ServeOptions& o) {
  auto* command = line.add("serve", "run the server",
                           "  slipway serve\n  slipway serve --data ./state --port 0\n"
                           "  KUBECONFIG=./state/kubeconfig kubectl get all\n"
                           "  slipway serve --kubeconfig ~/.kube/config --context staging",
                           [&o] { return serve(o); });
  command->add_option("--data", o.data, "folder for the database, tokens and certificates");
  command->add_option("--address", o.address, "address to listen on")->capture_default_str();
  line.number(command->add_option("--port", o.port, "port to listen on; 0 takes any free one")
                  ->capture_default_str(),
              {.most = 65535}, "a port; write a number from 0 to 65535");
  command->add_option("--host", o.hosts, "another name clients call this server by (repeat it)");
  command->add_flag("--memory", o.memory, "keep no objects on disk");
  command->add_option(
      "--images", o.images,
      "what to run for images: pattern to command (default: images.yaml of --data)");
  command->add_flag("--no-workloads", o.no_workloads,
                    "keep Pods and workloads as objects, run nothing");
  command->add_option("--kubeconfig", o.kubeconfig,
                      "work for this cluster, which keeps the objects, instead");
  command->add_option("--context", o.context, "context of the kubeconfig");
  command->add_flag("--in-cluster", o.in_cluster,
                    "work for the cluster we run in, by our Pod's service account");
  command->add_option("--lease-namespace", o.lease_namespace,
                      "namespace of the Lease by which one of several copies leads");
  auto* level = command->add_option("--log-level", o.log_level,
                                    "debug (requests, too), info, warning or error");
  line.only(level->envname("SLIPWAY_LOG")->capture_default_str(),
            {"debug", "info", "warning", "error"});
}

void add_apply(CommandLine& line, ApplyOptions& o) {
  auto* command =
      line.add("apply", "bring objects in line with manifests, and say what changed",
               "  slipway apply -f web.yaml\n  slipway apply -f examples/\n  cat web.yaml "
               "| slipway apply -f -",
               [&o] { return apply(o); });
  line.add_server_flags(command, o.server);
  line.need(command,
            command->add_option("-f,--filename", o.files, "file, folder or - for standard input"),
            "say what to apply with -f: a file, a folder or -; for example: slipway apply -f "
            "web.yaml");
  command->add_flag("--dry-run", o.dry_run, "let the server check, write nothing");
  command->add_flag("--force-conflicts", o.force_conflicts,
                    "take over fields that another manager owns");
  command->add_option("--field-manager", o.manager, "name to own the fields by")
      ->capture_default_str();
  line.add_output(command, o.output, {"json", "yaml", "name"});
}

void add_get(CommandLine& line, GetOptions& o) {
  auto* command =
      line.add("get", "show objects",
               "  slipway get rollouts -A\n  slipway get rollout web -o yaml\n  slipway "
               "get experiments -w",
               [&o] { return get(o); });
  line.add_server_flags(command, o.server);
  line.need(command, command->add_option("what", o.words, "TYPE[,TYPE] [NAME…] or TYPE/NAME…"),
            "say what to show: a type and perhaps names; for example: slipway get rollouts -A");
  command->add_flag("-A,--all-namespaces", o.all_namespaces, "in all namespaces");
  command->add_option("-l,--selector", o.selector, "labels: app=web,tier in (a,b)");
  command->add_option("--field-selector", o.field_selector, "fields: metadata.name=web");
  line.add_output(command, o.output, {"json", "yaml", "wide", "name"});
  command->add_flag("-w,--watch", o.watch, "go on showing changes");
  command->add_flag("--show-labels", o.show_labels, "a column of labels");
  command->add_flag("--no-headers", o.no_headers, "rows only");
  command->add_flag("--show-managed-fields", o.show_managed_fields,
                    "with json and yaml: who owns which field");
  line.number(
      command->add_option("--chunk-size", o.chunk_size, "objects a request; 0 asks for all at once")
          ->capture_default_str(),
      {.most = std::numeric_limits<int>::max()},
      "a number of objects; write 500, or 0 for all at once");
}

void add_describe(CommandLine& line, DescribeOptions& o) {
  auto* command = line.add("describe", "show objects in full, with what happened to them",
                           "  slipway describe rollout web -n shop", [&o] { return describe(o); });
  line.add_server_flags(command, o.server);
  line.need(command, command->add_option("what", o.words, "TYPE [NAME…] or TYPE/NAME…"),
            "say what to describe; for example: slipway describe rollout web");
  command->add_option("-l,--selector", o.selector, "labels: app=web");
  command->add_flag("-A,--all-namespaces", o.all_namespaces, "in all namespaces");
}

void add_delete(CommandLine& line, RemoveOptions& o) {
  auto* command = line.add("delete", "delete objects and wait until they are gone",
                           "  slipway delete rollout web\n  slipway delete -f web.yaml\n  slipway "
                           "delete experiments --all",
                           [&o] { return remove(o); });
  line.add_server_flags(command, o.server);
  command->add_option("what", o.words, "TYPE NAME… or TYPE/NAME…");
  command->add_option("-f,--filename", o.files, "file, folder or - for standard input");
  command->add_option("-l,--selector", o.selector, "labels: app=web");
  command->add_flag("--all", o.all, "all objects of the type in the namespace");
  command->add_flag("--ignore-not-found", o.ignore_not_found,
                    "an object that is not there is no failure");
  line.only(command->add_option("--cascade", o.cascade, "background, foreground or orphan")
                ->capture_default_str(),
            {"background", "foreground", "orphan"});
  command->add_flag("--wait,!--no-wait", o.wait, "wait until they are gone (default)");
  command->add_option("--timeout", o.timeout, "how long to wait")->capture_default_str();
  command->add_flag("--dry-run", o.dry_run, "let the server check, delete nothing");
}

void add_wait(CommandLine& line, WaitOptions& o) {
  auto* command = line.add(
      "wait", "wait until objects are as wanted",
      "  slipway wait experiment web --for=jsonpath='{.status.phase}'=Successful --timeout=10m\n"
      "  slipway wait namespace shop --for=delete",
      [&o] { return wait(o); });
  line.add_server_flags(command, o.server);
  line.need(command, command->add_option("what", o.words, "TYPE NAME… or TYPE/NAME…"),
            "say what to wait for; for example: slipway wait rollout web --for=delete");
  line.need(
      command,
      command->add_option("--for", o.wanted,
                          "delete, create, condition=NAME[=VALUE] or jsonpath='{.path}'=VALUE"),
      "say what to wait until with --for=delete, --for=create, --for=condition=NAME or "
      "--for=jsonpath='{.path}'=VALUE");
  command->add_option("--timeout", o.timeout, "how long to wait")->capture_default_str();
  command->add_option("-l,--selector", o.selector, "labels: app=web");
  command->add_flag("--all", o.all, "all objects of the type in the namespace");
}

void add_logs(CommandLine& line, LogsOptions& o) {
  auto* command = line.add("logs", "show what a container of a Pod has written",
                           "  slipway logs web-5d8f7-abcde -f\n  slipway logs web-5d8f7-abcde "
                           "--previous --tail 20",
                           [&o] { return logs(o); });
  line.add_server_flags(command, o.server);
  line.need(command, command->add_option("pod", o.pod, "NAME or pod/NAME"),
            "say whose logs; for example: slipway logs web-5d8f7-abcde");
  command->add_option("-c,--container", o.container, "of several, this container");
  command->add_flag("-f,--follow", o.follow, "go on until the container ends");
  command->add_flag("-p,--previous", o.previous, "of the run before the last restart");
  command->add_flag("--timestamps", o.timestamps, "when each line was written");
  line.number(command->add_option("--tail", o.tail, "the last lines only, so many; -1 for all"),
              {.least = -1}, "a number of lines; write 20, or -1 for all");
  command->add_option("--since", o.since, "not older than 10s, 5m or 1h");
}

}  // namespace

void add_server_commands(CommandLine& line, ServerCommands& options) {
  add_serve(line, options.serve);
  add_apply(line, options.apply);
  add_get(line, options.get);
  add_describe(line, options.describe);
  add_delete(line, options.remove);
  add_wait(line, options.wait);
  add_logs(line, options.logs);
}

}  // namespace slipway::cli
