#include "cli/experiment_command.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/experiment_view.h"
#include "cli/follow.h"
#include "cli/output.h"
#include "cli/run_screen.h"
#include "cli/tree/gather.h"
#include "cli/wanted.h"

namespace slipway::cli {

namespace {

class ExperimentTool {
 public:
  ExperimentTool(Session& session, const ExperimentOptions& options, Format format,
                 std::optional<Duration> timeout)
      : session_(session), options_(options), format_(format), timeout_(timeout) {}

  Task<int> run() {
    auto kind = co_await session_.find_kind("experiments.argoproj.io");
    if (!kind) co_return complain(kind.error());
    kind_ = std::move(*kind);
    if (options_.verb == "list")
      co_return options_.watch ? co_await follow_list() : co_await list();
    if (options_.verb == "status") co_return co_await wait_for_end();
    if (options_.verb == "terminate")
      co_return co_await patch(R"({"spec":{"terminate":true}})", "terminated");
    if (options_.verb == "retry") co_return co_await patch(R"({"status":null})", "retried");
    if (options_.watch) co_return co_await follow_tree();
    co_return co_await show();
  }

 private:
  Task<Result<json::Value>> get() {
    return session_.send({.target = kind_.path(session_.ns(), options_.name)});
  }

  Task<int> show() {
    auto experiment = co_await get();
    if (!experiment) co_return complain(experiment.error());
    if (format_ != Format::kTable) {
      print_object(std::move(*experiment), format_);
      co_return kExitDone;
    }
    auto seen = co_await look();
    if (!seen) co_return complain(seen.error());
    print(seen->draw(session_.loop().clock().now()));
    co_return kExitDone;
  }

  Task<Result<Look>> look() {
    auto experiment = co_await get();
    if (!experiment) co_return std::unexpected(std::move(experiment).error());
    auto grove = co_await gather_grove(session_, *experiment);
    if (!grove) co_return std::unexpected(std::move(grove).error());
    std::string state = status_text(*experiment);
    const std::optional<int> ended = end_of(*experiment);
    co_return Look{
        .draw =
            [one = std::move(*experiment), around = std::move(*grove)](Time now) mutable {
              around.now = now;
              return experiment_text(one, around,
                                     {.colour = colours(), .columns = columns_of(stdout)});
            },
        .state = std::move(state),
        .ended = ended};
  }

  std::string this_one() const { return list_of_one(kind_, session_.ns(), options_.name); }

  Task<int> follow_tree() {
    Looking at{.look = [this] { return look(); }, .lists = grove_lists(session_.ns()).all()};
    at.lists.push_back(this_one());
    return follow(session_, std::move(at));
  }

  Task<Result<Look>> look_at_status() {
    const auto experiment = co_await get();
    if (!experiment) co_return std::unexpected(experiment.error());
    Look seen{.state = status_text(*experiment), .ended = end_of(*experiment)};
    if (!seen.ended && !options_.wait) seen.ended = kExitInconclusive;
    co_return seen;
  }

  static std::optional<int> end_of(const json::Value& experiment) {
    if (!has_ended(experiment)) return std::nullopt;
    return exit_code_of_phase(json::string_at(experiment, {"status", "phase"}));
  }

  std::string all() const { return kind_.path(options_.all_namespaces ? "" : session_.ns()); }

  Task<int> list() {
    if (format_ != Format::kTable) {
      auto found = co_await session_.send({.target = all()});
      if (!found) co_return complain(found.error());
      print_object(std::move(*found), format_);
      co_return kExitDone;
    }
    auto found = co_await list_items(session_, all());
    if (!found) co_return complain(found.error());
    if (found->empty())
      note(options_.all_namespaces
               ? "No resources found"
               : fmt::format("No resources found in {} namespace.", session_.ns()));
    else
      print(align(experiment_rows(*found, options_.all_namespaces, session_.loop().clock().now())));
    co_return kExitDone;
  }

  Task<Result<Look>> look_at_list() {
    auto found = co_await list_items(session_, all());
    if (!found) co_return std::unexpected(std::move(found).error());
    std::string state;
    for (const json::Value& one : *found)
      state += fmt::format("{}/{} {}\n", json::string_at(one, {"metadata", "namespace"}),
                           json::string_at(one, {"metadata", "name"}), status_text(one));
    const auto draw = [this, experiments = std::move(*found)](Time now) {
      return align(experiment_rows(experiments, options_.all_namespaces, now));
    };
    co_return Look{.draw = draw, .state = std::move(state)};
  }

  Task<int> follow_list() {
    return follow(session_, {.look = [this] { return look_at_list(); }, .lists = {all()}});
  }

  Task<int> wait_for_end() {
    return wait_until_ended(
        session_, {.look = [this] { return look_at_status(); }, .lists = {this_one()}},
        {.timeout = timeout_,
         .late = fmt::format("{} has not ended within {}", kind_.object_name(options_.name),
                             options_.timeout)});
  }

  Task<int> patch(std::string_view body, std::string_view done) {
    store::kube::Call call{.method = "PATCH",
                           .target = kind_.path(session_.ns(), options_.name),
                           .body = std::string(body),
                           .repeatable = true};
    call.headers.set("Content-Type", "application/merge-patch+json");
    auto answer = co_await session_.send(std::move(call));
    if (!answer) co_return complain(answer.error());
    print_changed(*answer, kind_.object_name(options_.name), done, format_);
    co_return kExitDone;
  }

  Session& session_;
  const ExperimentOptions& options_;
  Format format_;
  std::optional<Duration> timeout_;
  ServedKind kind_ = {};
};

}  // namespace

int experiment_command(ExperimentOptions options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  auto name = parse_name(argo_kind("experiment", "Experiment", "exp"), options.name);
  if (!name) return complain(name.error()), kExitUsage;
  options.name = std::move(*name);
  const auto drawn = check_drawn(options.watch, *format, text::trim("experiment " + options.name));
  if (!drawn) return complain(drawn.error()), kExitUsage;
  const auto timeout = parse_how_long("--timeout", options.timeout);
  if (!timeout) return complain(timeout.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  ExperimentTool tool(**session, options, *format, *timeout);
  return run_to_end((*session)->loop(), tool.run());
}

void add_experiment_commands(CommandLine& line, ExperimentOptions& o) {
  auto* group = line.add_group(
      "experiment", "follow, end or retry an Experiment",
      "  slipway experiment list -A\n  slipway experiment get web -w\n  slipway experiment status "
      "web --timeout 10m\n  slipway experiment terminate web\n  slipway experiment retry web");
  const auto add = [&](const std::string& verb, const std::string& help,
                       const std::string& example) {
    auto* command = line.add_verb(group, verb, help, example, [&o, verb] {
      o.verb = verb;
      return experiment_command(o);
    });
    line.add_server_flags(command, o.server);
    if (verb != "list")
      line.need(command, command->add_option("name", o.name, "the Experiment's name"),
                fmt::format("say which one: slipway experiment {} NAME", verb));
    return command;
  };
  auto* get = add("get", "show an Experiment with all that belongs to it",
                  "  slipway experiment get web\n  slipway experiment get web -w");
  get->add_flag("-w,--watch", o.watch, "go on until it has ended");
  line.add_output(get, o.output, {"json", "yaml"});
  auto* list = add("list", "show the Experiments of a namespace in a table",
                   "  slipway experiment list\n  slipway experiment list -A -w");
  list->add_flag("-w,--watch", o.watch, "go on showing what changes");
  line.add_output(list, o.output, {"json", "yaml"});
  list->add_flag("-A,--all-namespaces", o.all_namespaces, "in all namespaces");
  auto* status = add("status",
                     "wait until an Experiment has ended; exit code 0 successful, 1 failed, 2 "
                     "inconclusive",
                     "  slipway experiment status web --timeout 10m\n  slipway experiment status "
                     "web --no-wait");
  status->add_flag("--wait,!--no-wait", o.wait,
                   "wait (default); else say how it is now, with exit code 2 until it has ended");
  status->add_option("--timeout", o.timeout,
                     "how long to wait, then exit code 1 (default: until it ends)");
  auto* terminate =
      add("terminate", "end an Experiment early", "  slipway experiment terminate web");
  auto* retry =
      add("retry", "begin an Experiment that has ended anew", "  slipway experiment retry web");
  for (auto* changing : {terminate, retry})
    line.add_output(changing, o.output, {"json", "yaml", "name"});
}

}  // namespace slipway::cli
