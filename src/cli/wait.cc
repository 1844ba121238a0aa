#include "cli/wait.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/wanted.h"
#include "lang/json_path/json_path.h"

namespace slipway::cli {

namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);

class Waiter {
 public:
  Waiter(Session& session, const WaitOptions& options, Goal goal, Duration timeout)
      : session_(session), options_(options), goal_(std::move(goal)), timeout_(timeout) {}

  Task<int> run() {
    auto targets = co_await find_targets(session_, options_.words, options_.selector);
    if (!targets) co_return complain(targets.error());
    if (targets->empty() && goal_.kind != Goal::Kind::kDelete)
      co_return complain({.code = ErrorCode::kNotFound, .message = "no matching resources found"});
    deadline_ = session_.loop().clock().uptime() + timeout_;
    int code = kExitDone;
    for (const auto& target : *targets)
      code = std::max(code, co_await wait_for(target.kind, target.name));
    co_return code;
  }

 private:
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
    if (equals != std::string_view::npos) goal.value = text::lower(text.substr(equals + 1));
    if (!goal.name.empty()) return goal;
  } else if (text.starts_with(kPath)) {
    text.remove_prefix(kPath.size());
    // The path may hold '=' in a filter; it ends with its brace.
    const auto brace = text.rfind('}');
    const auto equals = text.find('=', brace == std::string_view::npos ? 0 : brace);
    Goal goal{.kind = Goal::Kind::kJsonPath, .name = std::string(text.substr(0, equals))};
    if (equals != std::string_view::npos) goal.value = text.substr(equals + 1);
    if (auto path = lang::JsonPath::parse(goal.name); !path) return std::unexpected(path.error());
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
    const auto found = lang::JsonPath::parse(goal.name)->find(object);
    return std::ranges::any_of(found, [&](const json::Value* value) {
      return goal.value.empty() || (value->is_string() ? value->get_string() == goal.value
                                                       : json::write(*value) == goal.value);
    });
  }
  const json::Value* conditions = json::at(object, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return false;
  return std::ranges::any_of(conditions->get_array(), [&](const json::Value& condition) {
    return text::lower(json::string_at(condition, {"type"})) == text::lower(goal.name) &&
           text::lower(json::string_at(condition, {"status"})) == goal.value;
  });
}

int wait(const WaitOptions& options) {
  auto goal = parse_goal(options.wanted);
  if (!goal) return complain(goal.error()), kExitUsage;
  auto timeout = parse_duration(options.timeout);
  if (!timeout) return note("slipway: --timeout: " + timeout.error().text()), kExitUsage;
  const auto choice = check_choice({.words = options.words,
                                    .selector = options.selector,
                                    .all = options.all,
                                    .must_choose = true});
  if (!choice) return complain(choice.error()), kExitUsage;
  auto session = Session::open(options.server);
  if (!session) return complain(session.error()), kExitCannotAsk;
  Waiter waiter(**session, options, std::move(*goal), *timeout);
  return run_to_end((*session)->loop(), waiter.run());
}

}  // namespace slipway::cli
