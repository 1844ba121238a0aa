#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/letter_case.h"
#include "lang/expr/print.h"
#include "lang/expr/split.h"

namespace slipway::lang::expr::functions {

namespace {

Value text(std::string made, Budget& budget) {
  budget.text(made.size());
  return Value(std::move(made));
}

// Before a text is cut: at most so many parts, and so much looking for where.
void charge_cutting(const std::string& whole, const std::string& separator, Budget& budget) {
  budget.copy(whole.size() / std::max<std::size_t>(separator.size(), 1));
  budget.read(whole.size() * std::max<std::size_t>(separator.size(), 1));
}

Value texts(const std::vector<std::string_view>& parts, Budget& budget) {
  std::vector<Value> items;
  items.reserve(parts.size());
  for (const std::string_view part : parts) {
    budget.text(part.size());
    items.emplace_back(part);
  }
  return Value::list(types().texts, std::move(items));
}

void charge_search(Arguments arguments, Budget& budget) {
  budget.read(text_argument(arguments[0]).size() * text_argument(arguments[1]).size());
}

Value split_into(Arguments arguments, bool keep_separators, Budget& budget) {
  const std::string& whole = text_argument(arguments[0]);
  const std::string& separator = text_argument(arguments[1]);
  const std::int64_t limit = arguments.size() == 3 ? integer_of(arguments[2]) : -1;
  if (limit == 0) return Value::nil_of(types().texts);
  charge_cutting(whole, separator, budget);
  return texts(split_text(whole, separator, limit, keep_separators), budget);
}

// With an empty pattern, between all characters and at both ends.
std::string replaced(const std::string& whole, const std::string& from, const std::string& to,
                     std::int64_t limit, Budget& budget) {
  charge_cutting(whole, from, budget);
  const auto parts = split_text(whole, from, -1, false);
  const bool between = from.empty();
  std::string out;
  std::int64_t left = limit;
  const auto put = [&](std::string_view piece) {
    if (out.size() + piece.size() > kMaxText) budget.text(kMaxText + 1);
    out += piece;
  };
  if (between && left != 0) put(to), --left;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    put(parts[i]);
    const bool last = i + 1 == parts.size();
    if (last && (!between || whole.empty())) break;
    put(left != 0 ? to : from);
    if (left != 0) --left;
  }
  return out;
}

}  // namespace

Value to_string(Arguments arguments, Budget& budget) { return text(print(arguments[0]), budget); }

Value trim(Arguments arguments, Budget& budget) {
  const std::string& whole = text_argument(arguments[0]);
  if (arguments.size() == 1) return text(std::string(trim_space(whole)), budget);
  const std::string& set = text_argument(arguments[1]);
  budget.read(whole.size() * set.size());
  return text(std::string(trim_any(whole, set)), budget);
}

Value trim_prefix(Arguments arguments, Budget& budget) {
  const std::string prefix = arguments.size() == 2 ? text_argument(arguments[1]) : " ";
  const std::string& whole = text_argument(arguments[0]);
  return text(whole.starts_with(prefix) ? whole.substr(prefix.size()) : whole, budget);
}

Value trim_suffix(Arguments arguments, Budget& budget) {
  const std::string suffix = arguments.size() == 2 ? text_argument(arguments[1]) : " ";
  const std::string& whole = text_argument(arguments[0]);
  return text(whole.ends_with(suffix) ? whole.substr(0, whole.size() - suffix.size()) : whole,
              budget);
}

Value upper(Arguments arguments, Budget& budget) {
  return text(upper_case(text_argument(arguments[0])), budget);
}

Value lower(Arguments arguments, Budget& budget) {
  return text(lower_case(text_argument(arguments[0])), budget);
}

Value split(Arguments arguments, Budget& budget) { return split_into(arguments, false, budget); }

Value split_after(Arguments arguments, Budget& budget) {
  return split_into(arguments, true, budget);
}

Value replace(Arguments arguments, Budget& budget) {
  const std::string& whole = text_argument(arguments[0]);
  const std::string& from = text_argument(arguments[1]);
  const std::string& to = text_argument(arguments[2]);
  const std::int64_t limit = arguments.size() == 4 ? integer_of(arguments[3]) : -1;
  if (from == to || limit == 0) return Value(whole);
  return text(replaced(whole, from, to, limit, budget), budget);
}

Value repeat(Arguments arguments, Budget& budget) {
  const std::string& unit = text_argument(arguments[0]);
  const std::int64_t count = integer_of(arguments[1]);
  if (count < 0)
    panic(fmt::format("invalid argument for repeat (expected positive integer, got {})", count));
  constexpr std::int64_t kMaxRepeats = 1'000'000;
  if (count > kMaxRepeats) panic("memory budget exceeded");
  const std::size_t size = unit.size() * static_cast<std::size_t>(count);
  budget.memory(size);
  budget.text(size);
  std::string out;
  out.reserve(size);
  for (std::int64_t i = 0; i < count && !unit.empty(); ++i) out += unit;
  return Value(std::move(out));
}

Value join(Arguments arguments, Budget& budget) {
  const std::string glue = arguments.size() == 2 ? text_argument(arguments[1]) : "";
  const Value& list = arguments[0];
  if (list.type() != types().texts && list.type() != types().anys)
    panic(fmt::format("invalid argument for join (type {})",
                      list.type() ? list.type_name() : "%!s(<nil>)"));
  std::string out;
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const std::string& part = text_argument(list.items()[i]);
    budget.text(part.size() + glue.size());
    if (i > 0) out += glue;
    out += part;
  }
  return Value(std::move(out));
}

Value index_of(Arguments arguments, Budget& budget) {
  charge_search(arguments, budget);
  const auto at = text_argument(arguments[0]).find(text_argument(arguments[1]));
  return Value(at == std::string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(at));
}

Value last_index_of(Arguments arguments, Budget& budget) {
  charge_search(arguments, budget);
  const auto at = text_argument(arguments[0]).rfind(text_argument(arguments[1]));
  return Value(at == std::string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(at));
}

Value has_prefix(Arguments arguments, Budget&) {
  return Value(text_argument(arguments[0]).starts_with(text_argument(arguments[1])));
}

Value has_suffix(Arguments arguments, Budget&) {
  return Value(text_argument(arguments[0]).ends_with(text_argument(arguments[1])));
}

}  // namespace slipway::lang::expr::functions
