#include "lang/expr/condition.h"

#include <fmt/format.h>

#include "lang/expr/checker.h"
#include "lang/expr/compiler.h"
#include "lang/expr/limits.h"
#include "lang/expr/machine.h"
#include "lang/expr/optimizer.h"
#include "lang/expr/parser.h"

namespace slipway::lang::expr {

namespace {

// Throws SourceFailure and Panic.
NodePtr read(std::string_view source) {
  if (source.size() > kMaxSource)
    panic(fmt::format("the condition has {} bytes, more than {}", source.size(), kMaxSource));
  return parse(source);
}

// Throws SourceFailure and Panic.
Value evaluate(std::string_view source, const Environment& environment, Time now) {
  NodePtr root = read(source);
  CompileWork work;
  Checker(environment, work).check(root);
  optimize(root, work);
  const Program program = Compiler(work).run(*root);
  return Machine(program, environment, Budget(now)).run();
}

template <class Work>
auto outcome_of(std::string_view source, Work work) -> Outcome<decltype(work())> {
  try {
    return work();
  } catch (SourceFailure& failure) {
    return std::unexpected(problem_at(source, failure.at.from, std::move(failure.message)));
  } catch (Panic& panic) {
    return std::unexpected(Problem{.message = std::move(panic.message)});
  }
}

}  // namespace

Outcome<bool> evaluate_condition(std::string_view condition, const Value& result, Time now) {
  const auto environment = Environment::for_result(result);
  const auto value = outcome_of(condition, [&] { return evaluate(condition, environment, now); });
  if (!value) return std::unexpected(value.error());
  if (value->type() == types().boolean) return value->boolean();
  return std::unexpected(
      Problem{.message = fmt::format("expected bool, but got {}", value->type_name())});
}

Outcome<void> check_condition(std::string_view condition) {
  const auto environment = Environment::for_any_result();
  const auto nature = outcome_of(condition, [&] {
    CompileWork work;
    return Checker(environment, work).check(read(condition));
  });
  if (!nature) return std::unexpected(nature.error());
  if (nature->is_bool() || nature->is_unknown()) return {};
  return std::unexpected(Problem{
      .message = fmt::format("expected bool, but got {}", nature->nil ? "nil" : nature->name())});
}

Outcome<Time> evaluate_time(std::string_view expression, Time now) {
  const auto environment = Environment::for_times();
  const auto value = outcome_of(expression, [&] { return evaluate(expression, environment, now); });
  if (!value) return std::unexpected(value.error());
  if (value->type() != types().time)
    return std::unexpected(
        Problem{.message = fmt::format("expected time.Time, but got {}", value->type_name())});
  const Moment& moment = value->moment();
  constexpr std::int64_t kFurthest = 9'000'000'000;  // seconds that nanoseconds can count
  if (moment.seconds > kFurthest || moment.seconds < -kFurthest)
    return std::unexpected(
        Problem{.message = "the time is too far from now; years 1685 to 2255 can be asked for"});
  return Time(std::chrono::seconds(moment.seconds) + Duration(moment.nanoseconds));
}

bool is_no_data(const Value& result) {
  return result.is_nil() || (result.is_list() && result.items().empty());
}

}  // namespace slipway::lang::expr
