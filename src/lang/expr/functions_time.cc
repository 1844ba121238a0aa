#include <fmt/format.h>

#include "lang/expr/failure.h"
#include "lang/expr/functions.h"
#include "lang/expr/moment.h"
#include "lang/template/quote.h"

namespace slipway::lang::expr::functions {

namespace {

// A condition must mean the same on every machine, whatever zone tables it has: only the zone that
// needs none.
void require_known_zone(const std::string& name) {
  if (name != "UTC" && !name.empty())
    panic(
        fmt::format("time zone {} is not known to conditions; write UTC, or an offset in the date",
                    go::quote(name)));
}

Moment parsed(std::string_view layout, std::string_view text) {
  auto moment = parse_moment(layout, text);
  if (!moment) panic(std::move(moment).error());
  return std::move(*moment);
}

}  // namespace

Value now(Arguments, Budget& budget) { return Value::moment(Moment::of(budget.now())); }

Value duration(Arguments arguments, Budget&) {
  const std::string& text = text_argument(arguments[0]);
  const auto length = parse_duration(text);
  if (!length) panic(duration_problem(text));
  return Value::integer(types().duration, length->count());
}

Value date(Arguments arguments, Budget&) {
  if (arguments[0].type() == types().location) arguments = arguments.subspan(1);
  if (arguments.empty()) panic("runtime error: index out of range [0] with length 0");
  const std::string& text = text_argument(arguments[0]);
  if (arguments.size() == 3) {
    const std::string& layout = text_argument(arguments[1]);
    require_known_zone(text_argument(arguments[2]));
    return Value::moment(parsed(layout, text));
  }
  if (arguments.size() == 2) return Value::moment(parsed(text_argument(arguments[1]), text));
  for (const std::string_view layout :
       {"2006-01-02", "15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00",
        "02 Jan 06 15:04 MST", "Monday, 02-Jan-06 15:04:05 MST", "Mon, 02 Jan 2006 15:04:05 MST"})
    if (auto moment = parse_moment(layout, text)) return Value::moment(std::move(*moment));
  panic("invalid date " + text);
}

Value timezone(Arguments arguments, Budget&) {
  const std::string& name = text_argument(arguments[0]);
  require_known_zone(name);
  return Value::zone("UTC");
}

}  // namespace slipway::lang::expr::functions
