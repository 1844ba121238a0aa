#include "cli/eval.h"

#include <fmt/format.h>

#include "async/real_loop.h"
#include "cli/batch.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "lang/expr/condition.h"

namespace slipway::cli {

namespace {

using lang::expr::Outcome;
using lang::expr::Problem;
using lang::expr::Value;

json::Object problem_object(const Problem& problem) {
  json::Object error = {{"code", to_string(ErrorCode::kInvalid)}, {"message", problem.message}};
  if (problem.line > 0) {
    error["line"] = problem.line;
    error["column"] = problem.column;
  }
  return {{"error", std::move(error)}};
}

json::Object answer_object(const Outcome<bool>& answer) {
  return answer ? json::Object{{"value", *answer}} : problem_object(answer.error());
}

Result<json::Object> answer_case(const json::Object& asked, Time now) {
  const json::Value* condition = asked.if_contains("condition");
  if (!condition || !condition->is_string())
    return fail(ErrorCode::kInvalid, "there is no condition; write {\"condition\": \"…\", …}");
  const json::Value* result = asked.if_contains("result");
  const json::Value* ints = asked.if_contains("ints");
  const Value value = Value::from_json(result ? *result : json::Value(),
                                       ints && ints->is_bool() && ints->get_bool());
  return answer_object(
      lang::expr::evaluate_condition(std::string_view(condition->get_string()), value, now));
}

}  // namespace

int eval(const EvalOptions& options) {
  const auto loop = make_loop();
  if (!options.batch.empty())
    return run_batch(options.batch, [now = loop->clock().now()](const json::Object& asked) {
      return answer_case(asked, now);
    });
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  if (options.condition.empty())
    return complain({.code = ErrorCode::kInvalid,
                     .message = "there is no condition; write slipway eval 'result[0] < 0.95' "
                                "--result '[0.9]'"}),
           kExitUsage;
  auto result = json::read(options.result, {.allow_nan = true});
  if (!result) {
    result.error().where = "--result";
    return refuse(result.error(), *format), kExitCannotAsk;
  }
  const auto answer = lang::expr::evaluate_condition(
      options.condition, Value::from_json(*result, options.ints), loop->clock().now());
  if (*format == Format::kJson || *format == Format::kYaml)
    print_value(answer_object(answer), *format);
  else if (answer)
    print_line(*answer ? "true" : "false");
  if (!answer) return note("slipway: " + answer.error().text()), kExitCannotAsk;
  return *answer ? kExitDone : kExitFailed;
}

}  // namespace slipway::cli
