#include "cli/wait.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_code.h"
#include "cli/get.h"
#include "cli/output.h"
#include "server/json_path.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

class Waiter {
 public:
  Waiter(Session& session, const WaitOptions& options, Goal goal, Duration timeout)
      : session_(session), options_(options), goal_(std::move(goal)), timeout_(timeout) {}

  Task<int> run() {
    auto targets = co_await find_targets();
    if (!targets) co_return complain(targets.error());
    deadline_ = session_.loop().clock().uptime() + timeout_;
    int code = kExitDone;
    for (const auto& [kind, name] : *targets) code = std::max(code, co_await wait_for(kind, name));
    co_return code;
  }

 private:
  using Named = std::pair<ServedKind, std::string>;

  Task<Result<std::vector<Named>>> find_targets() {
    auto wanted = co_await find_wanted(session_, options_.words);
    if (!wanted) co_return std::unexpected(wanted.error());
    std::vector<Named> targets;
    for (const auto& one : *wanted) {
      for (const auto& name : one.names) targets.emplace_back(one.kind, name);
      if (!one.names.empty()) continue;
      if (!options_.all && options_.selector.empty())
        co_return fail(ErrorCode::kInvalid, "say which: names, a label selector with -l, or --all");
      std::string target = one.kind.path(session_.ns());
      if (!options_.selector.empty())
        target += "?" + http::format_query({{"labelSelector", options_.selector}});
      auto list = co_await session_.send({.target = target});
      if (!list) co_return std::unexpected(list.error());
      for (const auto& item : list->at("items").get_array())
        targets.emplace_back(one.kind, json::string_at(item, {"metadata", "name"}));
    }
    if (targets.empty() && goal_.kind != Goal::Kind::kDelete)
      co_return fail(ErrorCode::kNotFound, "no matching resources found");
    co_return targets;
  }

  Task<int> wait_for(ServedKind kind, std::string name) {
    while (true) {
      auto there = co_await session_.send({.target = kind.path(session_.ns(), name)});
      const bool missing = !there && there.error().code == ErrorCode::kNotFound;
      const bool may_be_missing =
          goal_.kind == Goal::Kind::kDelete || goal_.kind == Goal::Kind::kCreate;
      if (!there && !(missing && may_be_missing)) co_return complain(there.error());
      const bool reached =
          goal_.kind == Goal::Kind::kDelete ? missing : there && fulfils(*there, goal_);
      if (reached) {
        const auto* done = goal_.kind == Goal::Kind::kDelete ? "deleted" : "condition met";
        print_line(fmt::format("{} {}", kind.object_name(name), done));
        co_return kExitDone;
      }
      if (session_.loop().clock().uptime() >= deadline_)
        co_return complain({.code = ErrorCode::kTimeout,
                            .message = fmt::format("timed out waiting for {} on {}",
                                                   options_.wanted, kind.object_name(name))});
      co_await sleep_for(session_.loop(), kPoll);
    }
  }

  Session& session_;
  const WaitOptions& options_;
  Goal goal_;
  Duration timeout_;
  Duration deadline_ = {};
};

}  // namespace

Result<Goal> parse_goal(std::string_view text) {
  if (text == "delete") return Goal{.kind = Goal::Kind::kDelete};
  if (text == "create") return Goal{.kind = Goal::Kind::kCreate};
  constexpr std::string_view kCondition = "condition=", kPath = "jsonpath=";
  if (text.starts_with(kCondition)) {
    text.remove_prefix(kCondition.size());
    const auto equals = text.find('=');
    Goal goal{.kind = Goal::Kind::kCondition,
              .name = std::string(text.substr(0, equals)),
              .value = "true"};
    if (equals != std::string_view::npos) goal.value = lower(text.substr(equals + 1));
    if (!goal.name.empty()) return goal;
  } else if (text.starts_with(kPath)) {
    text.remove_prefix(kPath.size());
    // The path may hold '=' in a filter; it ends with its brace.
    const auto brace = text.rfind('}');
    const auto equals = text.find('=', brace == std::string_view::npos ? 0 : brace);
    Goal goal{.kind = Goal::Kind::kJsonPath, .name = std::string(text.substr(0, equals))};
    if (equals != std::string_view::npos) goal.value = text.substr(equals + 1);
    if (auto path = server::JsonPath::parse(goal.name); !path) return std::unexpected(path.error());
    return goal;
  }
  return fail(ErrorCode::kInvalid,
              fmt::format("--for={} is not known; write delete, create, condition=NAME[=VALUE] or "
                          "jsonpath='{{.path}}'=VALUE",
                          text));
}

bool fulfils(const json::Value& object, const Goal& goal) {
  if (goal.kind == Goal::Kind::kCreate) return true;
  if (goal.kind == Goal::Kind::kJsonPath) {
    const auto found = server::JsonPath::parse(goal.name)->find(object);
    return std::ranges::any_of(found, [&](const json::Value* value) {
      return goal.value.empty() || (value->is_string() ? value->get_string() == goal.value
                                                       : json::write(*value) == goal.value);
    });
  }
  const json::Value* conditions = json::at(object, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->get_array(), [&](const json::Value& condition) {
    return lower(json::string_at(condition, {"type"})) == lower(goal.name) &&
           lower(json::string_at(condition, {"status"})) == goal.value;
  });
}

int wait(const WaitOptions& options) {
  auto goal = parse_goal(options.wanted);
  if (!goal) return complain(goal.error()), kExitUsage;
  auto timeout = parse_duration(options.timeout);
  if (!timeout) return complain(timeout.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Waiter waiter(**session, options, std::move(*goal), *timeout);
  return run_to_end((*session)->loop(), waiter.run());
}

}  // namespace slipway::cli
