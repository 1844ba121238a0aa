#include "cli/experiment_command.h"

#include <fmt/format.h>

#include "api/kinds/argo_names.h"
#include "cli/exit_code.h"
#include "cli/experiment_view.h"
#include "cli/output.h"
#include "cli/run_screen.h"
#include "http/message.h"

namespace slipway::cli {

namespace {

constexpr Duration kRedraw = std::chrono::seconds(1);
constexpr Duration kPoll = std::chrono::milliseconds(250);
constexpr std::string_view kVerbs = "get, list, status, terminate or retry";

class ExperimentTool {
 public:
  ExperimentTool(Session& session, const ExperimentOptions& options, Format format,
                 std::optional<Duration> timeout)
      : session_(session), options_(options), format_(format), timeout_(timeout) {}

  Task<int> run() {
    auto kind = co_await session_.find_kind("experiments.argoproj.io");
    if (!kind) co_return complain(kind.error());
    kind_ = std::move(*kind);
    if (options_.verb == "list") co_return co_await list();
    if (options_.verb == "status") co_return co_await wait_for_end();
    if (options_.verb == "terminate")
      co_return co_await patch(R"({"spec":{"terminate":true}})", "terminated");
    if (options_.verb == "retry") co_return co_await patch(R"({"status":null})", "retried");
    co_return options_.watch ? co_await follow() : co_await show();
  }

 private:
  Task<Result<json::Value>> get() {
    return session_.send({.target = kind_.path(session_.ns(), options_.name)});
  }

  Task<Result<std::vector<json::Value>>> items(std::string target) {
    auto page = co_await session_.send({.target = std::move(target)});
    if (!page) co_return std::unexpected(std::move(page).error());
    json::Value* found = json::at(*page, {"items"});
    if (found == nullptr || !found->is_array()) co_return std::vector<json::Value>{};
    co_return std::vector<json::Value>(found->get_array().begin(), found->get_array().end());
  }

  // What may belong to it: Pods of such ReplicaSets carry their label.
  Task<Result<Grove>> surroundings() {
    const std::string ns = session_.ns();
    const std::string labelled =
        fmt::format("?labelSelector={}", http::percent_encode(api::argo::kHashLabel));
    Grove grove{.now = session_.loop().clock().now()};
    const auto fill = [](Result<std::vector<json::Value>> from,
                         std::vector<json::Value>& into) -> Result<> {
      if (!from) return std::unexpected(std::move(from).error());
      into = std::move(*from);
      return {};
    };
    SLIPWAY_CO_TRY(
        fill(co_await items(fmt::format("/apis/apps/v1/namespaces/{}/replicasets{}", ns, labelled)),
             grove.replica_sets));
    SLIPWAY_CO_TRY(fill(co_await items(fmt::format("/api/v1/namespaces/{}/pods{}", ns, labelled)),
                        grove.pods));
    SLIPWAY_CO_TRY(fill(
        co_await items(fmt::format("/apis/argoproj.io/v1alpha1/namespaces/{}/analysisruns", ns)),
        grove.runs));
    SLIPWAY_CO_TRY(
        fill(co_await items(fmt::format("/apis/batch/v1/namespaces/{}/jobs", ns)), grove.jobs));
    co_return grove;
  }

  Task<int> show() {
    auto experiment = co_await get();
    if (!experiment) co_return complain(experiment.error());
    if (format_ == Format::kJson || format_ == Format::kYaml) {
      print_value(*experiment, format_);
      co_return kExitDone;
    }
    auto grove = co_await surroundings();
    if (!grove) co_return complain(grove.error());
    print(experiment_text(*experiment, *grove, {.colour = colours()}));
    co_return kExitDone;
  }

  // Drawn in its place on a terminal; elsewhere each state that differs from the last. Until it
  // has ended and its Pods are gone, or somebody interrupts.
  Task<int> follow() {
    LiveScreen screen(stdout);
    std::string last;
    while (!output_failed()) {
      auto experiment = co_await get();
      if (!experiment) co_return complain(experiment.error());
      auto grove = co_await surroundings();
      if (!grove) co_return complain(grove.error());
      const std::string text = experiment_text(*experiment, *grove, {.colour = colours()});
      const std::string state = status_text(*experiment);
      if (stdout_is_terminal())
        screen.show(text);
      else if (state != last)
        print(text + "\n");
      last = state;
      if (has_ended(*experiment))
        co_return exit_code_of_phase(json::string_at(*experiment, {"status", "phase"}));
      co_await sleep_for(session_.loop(), kRedraw);
    }
    co_return kExitCannotAsk;
  }

  Task<int> list() {
    auto found = co_await items(kind_.path(options_.all_namespaces ? "" : session_.ns()));
    if (!found) co_return complain(found.error());
    if (found->empty())
      note(options_.all_namespaces
               ? "No resources found"
               : fmt::format("No resources found in {} namespace.", session_.ns()));
    else
      print(align(experiment_rows(*found, options_.all_namespaces, session_.loop().clock().now())));
    co_return kExitDone;
  }

  Task<int> wait_for_end() {
    const Clock& clock = session_.loop().clock();
    const Duration began = clock.uptime();
    std::string last;
    while (true) {
      auto experiment = co_await get();
      if (!experiment) co_return complain(experiment.error());
      const std::string text = status_text(*experiment);
      if (has_ended(*experiment)) {
        print_line(text);
        co_return exit_code_of_phase(json::string_at(*experiment, {"status", "phase"}));
      }
      if (text != last && stdout_is_terminal()) note(text);
      last = text;
      if (timeout_ && clock.uptime() - began >= *timeout_) {
        print_line(text);
        co_return complain(
            {.code = ErrorCode::kTimeout,
             .message = fmt::format("{} has not ended within {}", kind_.object_name(options_.name),
                                    options_.timeout)});
      }
      co_await sleep_for(session_.loop(), kPoll);
    }
  }

  Task<int> patch(std::string_view body, std::string_view done) {
    store::kube::Call call{.method = "PATCH",
                           .target = kind_.path(session_.ns(), options_.name),
                           .body = std::string(body),
                           .repeatable = true};
    call.headers.set("Content-Type", "application/merge-patch+json");
    auto answer = co_await session_.send(std::move(call));
    if (!answer) co_return complain(answer.error());
    print_line(fmt::format("{} {}", kind_.object_name(options_.name), done));
    co_return kExitDone;
  }

  Session& session_;
  const ExperimentOptions& options_;
  Format format_;
  std::optional<Duration> timeout_;
  ServedKind kind_ = {};
};

int refuse(std::string_view why) {
  note(fmt::format("slipway: {}", why));
  return kExitUsage;
}

}  // namespace

int experiment_command(const ExperimentOptions& options) {
  const bool needs_name = options.verb != "list";
  if (needs_name && options.name.empty())
    return refuse(fmt::format("say which one: slipway experiment {} NAME", options.verb));
  if (!needs_name && !options.name.empty())
    return refuse(
        fmt::format("list shows all of them; for one: slipway experiment get {}", options.name));
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  std::optional<Duration> timeout;
  if (!options.timeout.empty()) {
    auto parsed = parse_duration(options.timeout);
    if (!parsed) return complain(parsed.error()), kExitUsage;
    timeout = *parsed;
  }
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  ExperimentTool tool(**session, options, *format, timeout);
  return run_to_end((*session)->loop(), tool.run());
}

void add_experiment_command(CommandLine& line, ExperimentOptions& o) {
  auto* command = line.add(
      "experiment", "follow, end or retry an Experiment",
      "  slipway experiment list -A\n  slipway experiment get web -w\n  slipway experiment status "
      "web --timeout 10m\n  slipway experiment terminate web\n  slipway experiment retry web",
      [&o] { return experiment_command(o); });
  line.add_server_flags(command, o.server);
  auto* verb = command->add_option("verb", o.verb, std::string(kVerbs));
  line.only(verb, {"get", "list", "status", "terminate", "retry"});
  line.need(command, verb,
            fmt::format("say what to do: {}; for example: slipway experiment get web -w", kVerbs));
  command->add_option("name", o.name, "the Experiment's name");
  command->add_flag("-w,--watch", o.watch, "get: go on until it has ended");
  command->add_flag("-A,--all-namespaces", o.all_namespaces, "list: in all namespaces");
  command->add_option("--timeout", o.timeout, "status: how long to wait (default: until it ends)");
  line.add_output(command, o.output, {"json", "yaml"});
}

}  // namespace slipway::cli
