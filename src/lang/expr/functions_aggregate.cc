#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/operate.h"

// max, min, mean, median: over numbers, lists of them, and lists within lists.
namespace slipway::lang::expr::functions {

namespace {

using Beats = bool (*)(const Value& best, const Value& candidate);

[[noreturn]] void refuse(std::string_view name, const Value& value) {
  panic(fmt::format("invalid argument for {} (type {})", name, value.type_name()));
}

Value best_of(std::string_view name, Beats beats, Arguments arguments, Budget& budget);

void consider(Value& best, const Value& candidate, Beats beats) {
  if (!best.type() || beats(best, candidate)) best = candidate;
}

void consider_list(std::string_view name, Beats beats, const Value& list, Budget& budget,
                   Value& best) {
  for (const Value& item : list.items()) {
    budget.step();
    if (item.is_number()) {
      consider(best, item, beats);
    } else if (item.is_list()) {
      const Value nested = best_of(name, beats, {&item, 1}, budget);
      if (nested.type()) consider(best, nested, beats);
    } else {
      refuse(name, item);
    }
  }
}

// Lists of a sort that expr-lang has no short way for: elements are judged one by one, and an empty
// list among them has no answer.
void consider_other_list(std::string_view name, Beats beats, const Value& list, Budget& budget,
                         Value& best) {
  for (const Value& item : list.items()) {
    const Value nested = best_of(name, beats, {&item, 1}, budget);
    if (!nested.is_number()) refuse(name, nested);
    consider(best, nested, beats);
  }
}

bool by_kind_a_number(const Value& value) {
  return value.has(Kind::kFloat64) || value.has(Kind::kInt) || value.has(Kind::kInt64) ||
         value.has(Kind::kUint8);
}

Value best_of(std::string_view name, Beats beats, Arguments arguments, Budget& budget) {
  Value best;
  for (const Value& argument : arguments) {
    budget.step();
    const Type* type = argument.type();
    if (type == types().integers || type == types().numbers) {
      // The best of the list alone first, then against the others: NaN makes the difference.
      Value own;
      consider_list(name, beats, argument, budget, own);
      if (own.type()) consider(best, own, beats);
    } else if (type == types().anys) {
      consider_list(name, beats, argument, budget, best);
    } else if (argument.is_list()) {
      consider_other_list(name, beats, argument, budget, best);
    } else if (by_kind_a_number(argument)) {
      consider(best, argument, beats);
    } else if (arguments.size() == 1) {
      return argument;
    } else {
      refuse(name, argument);
    }
  }
  return best;
}

void collect(std::string_view name, Arguments arguments, Budget& budget,
             std::vector<double>& numbers) {
  for (const Value& argument : arguments) {
    budget.step();
    if (argument.is_list())
      collect(name, argument.items(), budget, numbers);
    else if (by_kind_a_number(argument))
      numbers.push_back(argument.as_number());
    else
      refuse(name, argument);
  }
}

// mean adds up each list on its own before it adds the sums, which shows in the last digits.
double sum_of(std::string_view name, Arguments arguments, Budget& budget, std::int64_t& count) {
  double sum = 0;
  for (const Value& argument : arguments) {
    budget.step();
    if (argument.type() == types().anys || argument.type() == types().numbers ||
        argument.type() == types().integers) {
      for (const Value& item : argument.items()) {
        if (item.is_list()) {
          sum += sum_of(name, {&item, 1}, budget, count);
        } else if (by_kind_a_number(item)) {
          sum += item.as_number();
          ++count;
        } else {
          refuse(name, item);
        }
      }
    } else if (argument.is_list()) {
      for (const Value& item : argument.items()) sum += sum_of(name, {&item, 1}, budget, count);
    } else if (by_kind_a_number(argument)) {
      sum += argument.as_number();
      ++count;
    } else {
      refuse(name, argument);
    }
  }
  return sum;
}

}  // namespace

Value max(Arguments arguments, Budget& budget) { return best_of("max", less, arguments, budget); }
Value min(Arguments arguments, Budget& budget) { return best_of("min", more, arguments, budget); }

Value mean(Arguments arguments, Budget& budget) {
  std::int64_t count = 0;
  const double sum = sum_of("mean", arguments, budget, count);
  return Value(count == 0 ? 0.0 : sum / static_cast<double>(count));
}

Value median(Arguments arguments, Budget& budget) {
  std::vector<double> numbers;
  collect("median", arguments, budget, numbers);
  if (numbers.empty()) return Value(0.0);
  // Go sorts NaN before all other numbers.
  std::ranges::sort(numbers,
                    [](double a, double b) { return a < b || (std::isnan(a) && !std::isnan(b)); });
  const std::size_t middle = numbers.size() / 2;
  if (numbers.size() % 2 == 1) return Value(numbers[middle]);
  return Value((numbers[middle - 1] + numbers[middle]) / 2);
}

}  // namespace slipway::lang::expr::functions
