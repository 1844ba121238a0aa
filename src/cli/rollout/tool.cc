#include "cli/rollout/tool.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/follow.h"
#include "cli/rollout/change_tool.h"
#include "cli/rollout/health.h"
#include "cli/run_screen.h"
#include "cli/tree/gather.h"

namespace slipway::cli {

namespace {

// Shows Rollouts; what changes them is ChangeTool's.
class RolloutTool {
 public:
  RolloutTool(Session& session, const RolloutOptions& options, Format format,
              std::optional<Duration> timeout)
      : session_(session), options_(options), format_(format), timeout_(timeout) {}

  Task<int> run() {
    auto kind = co_await session_.find_kind("rollouts.argoproj.io");
    if (!kind) co_return complain(kind.error());
    kind_ = std::move(*kind);
    if (options_.verb == "list")
      co_return options_.watch ? co_await follow_list() : co_await list();
    if (options_.verb == "status") co_return co_await status();
    if (options_.watch) co_return co_await follow_tree();
    co_return co_await show();
  }

 private:
  Task<Result<ShownRollout>> read() {
    auto found = co_await session_.send({.target = kind_.path(session_.ns(), options_.name)});
    if (!found) co_return std::unexpected(std::move(found).error());
    co_return read_rollout(std::move(*found));
  }

  TreeOptions look_of_tree() const { return {.colour = colours(), .columns = columns_of(stdout)}; }

  Task<int> show() {
    if (format_ != Format::kTable) {
      auto found = co_await session_.send({.target = kind_.path(session_.ns(), options_.name)});
      if (!found) co_return complain(found.error());
      print_object(std::move(*found), format_);
      co_return kExitDone;
    }
    auto seen = co_await look();
    if (!seen) co_return complain(seen.error());
    print(seen->draw(session_.loop().clock().now()));
    co_return kExitDone;
  }

  // Never ends by itself: what is Healthy now may be updated next.
  Task<Result<Look>> look() {
    auto rollout = co_await read();
    if (!rollout) co_return std::unexpected(std::move(rollout).error());
    auto grove = co_await gather_grove(session_, rollout->document);
    if (!grove) co_return std::unexpected(std::move(grove).error());
    std::string state = state_line(*rollout, *grove);
    co_return Look{
        .draw =
            [this, one = std::move(*rollout), around = std::move(*grove)](Time now) mutable {
              around.now = now;
              return rollout_text(one, around, look_of_tree());
            },
        .state = std::move(state)};
  }

  std::string this_one() const { return list_of_one(kind_, session_.ns(), options_.name); }

  Task<int> follow_tree() {
    Looking at{.look = [this] { return look(); }, .lists = grove_lists(session_.ns()).all()};
    at.lists.push_back(this_one());
    return follow(session_, std::move(at));
  }

  // Null when there is none, or it cannot be read: its health is that of the Rollout then.
  Task<json::Value> read_workload(const api::argo::RolloutSpec& spec) {
    if (!spec.workload_ref) co_return json::Value();
    const auto kind =
        co_await session_.find_kind(spec.workload_ref->api_version, spec.workload_ref->kind);
    if (!kind) co_return json::Value();
    auto found =
        co_await session_.send({.target = kind->path(session_.ns(), spec.workload_ref->name)});
    co_return found ? std::move(*found) : json::Value();
  }

  Task<Result<Look>> look_at_health() {
    const auto rollout = co_await read();
    if (!rollout) co_return std::unexpected(rollout.error());
    const json::Value workload = co_await read_workload(rollout->view.spec);
    const rollout::Phase health = health_of(rollout->view, workload);
    Look seen{.state = health_line(health)};
    if (is_settled(health) || !options_.wait) seen.ended = exit_code_of_health(health);
    co_return seen;
  }

  Task<std::string> problem() {
    const auto rollout = co_await read();
    if (!rollout || health_of(rollout->view).phase == "Healthy") co_return "";
    const auto grove = co_await gather_grove(session_, rollout->document);
    const std::string why = grove ? problem_of(*rollout, *grove, Duration::zero()) : "";
    co_return why.empty() ? "" : "Problem: " + why;
  }

  Task<int> status() {
    return wait_until_ended(
        session_, {.look = [this] { return look_at_health(); }, .lists = {this_one()}},
        {.timeout = timeout_,
         .late = fmt::format("{} is neither Healthy nor Degraded after {}",
                             kind_.object_name(options_.name), options_.timeout),
         .explain = [this] { return problem(); }});
  }

  Task<Result<std::vector<ShownRollout>>> read_all() {
    const std::string ns = options_.all_namespaces ? "" : session_.ns();
    auto found = co_await list_items(session_, kind_.path(ns));
    if (!found) co_return std::unexpected(std::move(found).error());
    std::vector<ShownRollout> rollouts;
    for (json::Value& one : *found) {
      auto read = read_rollout(std::move(one));
      if (!read) co_return std::unexpected(std::move(read).error());
      rollouts.push_back(std::move(*read));
    }
    co_return rollouts;
  }

  Task<int> list() {
    if (format_ != Format::kTable) {
      const std::string ns = options_.all_namespaces ? "" : session_.ns();
      auto found = co_await session_.send({.target = kind_.path(ns)});
      if (!found) co_return complain(found.error());
      print_object(std::move(*found), format_);
      co_return kExitDone;
    }
    const auto found = co_await read_all();
    if (!found) co_return complain(found.error());
    if (found->empty())
      note(options_.all_namespaces
               ? "No resources found"
               : fmt::format("No resources found in {} namespace.", session_.ns()));
    else
      print(align(rollout_rows(*found, options_.all_namespaces)));
    co_return kExitDone;
  }

  Task<Result<Look>> look_at_list() {
    const auto found = co_await read_all();
    if (!found) co_return std::unexpected(found.error());
    const std::string text = align(rollout_rows(*found, options_.all_namespaces));
    co_return Look{.draw = [text](Time) { return text; }, .state = text};
  }

  Task<int> follow_list() {
    const std::string ns = options_.all_namespaces ? "" : session_.ns();
    return follow(session_, {.look = [this] { return look_at_list(); }, .lists = {kind_.path(ns)}});
  }

  Session& session_;
  const RolloutOptions& options_;
  Format format_;
  std::optional<Duration> timeout_;
  ServedKind kind_ = {};
};

}  // namespace

int rollout_command(RolloutOptions options) {
  const auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  const auto drawn = check_drawn(options.watch, *format, text::trim("rollout " + options.name));
  if (!drawn) return complain(drawn.error()), kExitUsage;
  const auto timeout = parse_how_long("--timeout", options.timeout);
  if (!timeout) return complain(timeout.error()), kExitUsage;
  const auto delay = parse_how_long("--in", options.in);
  if (!delay) return complain(delay.error()), kExitUsage;
  const auto understood = understand_words(options);
  if (!understood) return complain(understood.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  if (changes_something(options.verb)) {
    ChangeTool tool(**session, options, *format, delay->value_or(Duration::zero()));
    return run_to_end((*session)->loop(), tool.run());
  }
  RolloutTool tool(**session, options, *format, *timeout);
  return run_to_end((*session)->loop(), tool.run());
}

}  // namespace slipway::cli
