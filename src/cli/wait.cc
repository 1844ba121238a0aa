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

std::optional<std::int64_t> integer_at(const json::Value& value, json::Path path) {
  const json::Value* found = json::at(value, path);
  return found && found->is_int64() ? std::optional(found->get_int64()) : std::nullopt;
}

// As kubectl: what is no integer, such as a Rollout's observedGeneration, says nothing.
bool is_older(const json::Value& condition, const json::Value& object) {
  const auto generation = integer_at(object, {"metadata", "generation"});
  const auto of_condition = integer_at(condition, {"observedGeneration"});
  const auto observed =
      of_condition ? of_condition : integer_at(object, {"status", "observedGeneration"});
  return generation && observed && *observed < *generation;
}

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
    // Which objects they are is settled before the first of them is waited for.
    std::vector<std::optional<std::string>> uids;
    for (const auto& target : *targets) uids.push_back(co_await find_uid(target));
    int code = kExitDone;
    for (std::size_t i = 0; i < targets->size(); ++i)
      code = std::max(code, co_await wait_for((*targets)[i].kind, (*targets)[i].name, uids[i]));
    co_return code;
  }

 private:
  Task<std::optional<std::string>> find_uid(const Target& target) {
    if (goal_.kind != Goal::Kind::kDelete) co_return std::nullopt;
    const auto there =
        co_await session_.send({.target = target.kind.path(session_.ns(), target.name)});
    if (there) co_return std::string(json::string_at(*there, {"metadata", "uid"}));
    if (there.error().code == ErrorCode::kNotFound) co_return std::string();
    co_return std::nullopt;
  }

  Task<int> wait_for(ServedKind kind, std::string name, std::optional<std::string> uid) {
    while (true) {
      auto there = co_await session_.send({.target = kind.path(session_.ns(), name)});
      const bool missing = !there && there.error().code == ErrorCode::kNotFound;
      const bool may_be_missing =
          goal_.kind == Goal::Kind::kDelete || goal_.kind == Goal::Kind::kCreate;
      if (!there && !(missing && may_be_missing)) co_return complain(there.error());
      const bool reached =
          goal_.kind == Goal::Kind::kDelete ? is_gone(there, uid) : there && fulfils(*there, goal_);
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
           text::lower(json::string_at(condition, {"status"})) == goal.value &&
           !is_older(condition, object);
  });
}

bool is_gone(const Result<json::Value>& answer, const std::optional<std::string>& first) {
  if (!answer) return answer.error().code == ErrorCode::kNotFound;
  return first && json::string_at(*answer, {"metadata", "uid"}) != *first;
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
