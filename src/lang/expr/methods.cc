#include "lang/expr/builtin.h"
#include "lang/expr/moment.h"

// Methods of times and durations. Those that Go has and this table lacks are refused as unknown.
namespace slipway::lang::expr {

namespace {

constexpr double kNanosASecond = 1e9;

Value integer(int value) { return Value(std::int64_t{value}); }

Value length(const Value& duration, double unit) {
  // Whole units and the rest apart, as Go does it, so that the last digit agrees.
  const auto whole = duration.integer() / static_cast<std::int64_t>(unit);
  const auto rest = duration.integer() % static_cast<std::int64_t>(unit);
  return Value(static_cast<double>(whole) + static_cast<double>(rest) / unit);
}

Value count(const Value& duration, std::int64_t unit) {
  return Value::integer(types().int64, duration.integer() / unit);
}

Value int64(std::int64_t value) { return Value::integer(types().int64, value); }

Value in_utc(const Value& value) {
  Moment moment = value.moment();
  moment.offset = 0;
  moment.zone = "UTC";
  return Value::moment(std::move(moment));
}

int year_day(const Moment& moment) {
  const Civil civil = civil_of(moment);
  const Moment start = moment_of({.year = civil.year}, moment.offset, moment.zone);
  return static_cast<int>((moment.seconds - start.seconds) / 86'400) + 1;
}

constexpr Method kMethods[] = {
    {"time.Time", "Unix", "func() int64",
     [](const Value& v, Arguments) { return int64(v.moment().seconds); }},
    {"time.Time", "UnixMilli", "func() int64",
     [](const Value& v, Arguments) {
       return int64(v.moment().seconds * 1000 + v.moment().nanoseconds / 1'000'000);
     }},
    {"time.Time", "UnixNano", "func() int64",
     [](const Value& v, Arguments) { return int64(between(v.moment(), Moment{})); }},
    {"time.Time", "Year", "func() int",
     [](const Value& v, Arguments) { return integer(civil_of(v.moment()).year); }},
    {"time.Time", "Month", "func() time.Month",
     [](const Value& v, Arguments) {
       return Value::integer(types().month, civil_of(v.moment()).month);
     }},
    {"time.Time", "Day", "func() int",
     [](const Value& v, Arguments) { return integer(civil_of(v.moment()).day); }},
    {"time.Time", "Hour", "func() int",
     [](const Value& v, Arguments) { return integer(civil_of(v.moment()).hour); }},
    {"time.Time", "Minute", "func() int",
     [](const Value& v, Arguments) { return integer(civil_of(v.moment()).minute); }},
    {"time.Time", "Second", "func() int",
     [](const Value& v, Arguments) { return integer(civil_of(v.moment()).second); }},
    {"time.Time", "Nanosecond", "func() int",
     [](const Value& v, Arguments) { return integer(v.moment().nanoseconds); }},
    {"time.Time", "YearDay", "func() int",
     [](const Value& v, Arguments) { return integer(year_day(v.moment())); }},
    {"time.Time", "Weekday", "func() time.Weekday",
     [](const Value& v, Arguments) {
       return Value::integer(types().weekday, weekday_of(v.moment()));
     }},
    {"time.Time", "UTC", "func() time.Time", [](const Value& v, Arguments) { return in_utc(v); }},
    {"time.Time", "String", "func() string",
     [](const Value& v, Arguments) { return Value(moment_text(v.moment())); }},
    {"time.Time", "Format", "func(string) string",
     [](const Value& v, Arguments arguments) {
       return Value(format_moment(v.moment(), text_argument(arguments[0])));
     }},
    {"time.Time", "Add", "func(time.Duration) time.Time",
     [](const Value& v, Arguments arguments) {
       return Value::moment(shifted(v.moment(), arguments[0].integer()));
     }},
    {"time.Time", "Sub", "func(time.Time) time.Duration",
     [](const Value& v, Arguments arguments) {
       return Value::integer(types().duration, between(v.moment(), arguments[0].moment()));
     }},
    {"time.Time", "Before", "func(time.Time) bool",
     [](const Value& v, Arguments arguments) {
       return Value(v.moment().compare(arguments[0].moment()) < 0);
     }},
    {"time.Time", "After", "func(time.Time) bool",
     [](const Value& v, Arguments arguments) {
       return Value(v.moment().compare(arguments[0].moment()) > 0);
     }},
    {"time.Time", "Equal", "func(time.Time) bool",
     [](const Value& v, Arguments arguments) {
       return Value(v.moment().compare(arguments[0].moment()) == 0);
     }},
    {"time.Duration", "Hours", "func() float64",
     [](const Value& v, Arguments) { return length(v, 3600 * kNanosASecond); }},
    {"time.Duration", "Minutes", "func() float64",
     [](const Value& v, Arguments) { return length(v, 60 * kNanosASecond); }},
    {"time.Duration", "Seconds", "func() float64",
     [](const Value& v, Arguments) { return length(v, kNanosASecond); }},
    {"time.Duration", "Milliseconds", "func() int64",
     [](const Value& v, Arguments) { return count(v, 1'000'000); }},
    {"time.Duration", "Microseconds", "func() int64",
     [](const Value& v, Arguments) { return count(v, 1'000); }},
    {"time.Duration", "Nanoseconds", "func() int64",
     [](const Value& v, Arguments) { return count(v, 1); }},
    {"time.Duration", "String", "func() string",
     [](const Value& v, Arguments) { return Value(format_duration(v.duration())); }},
    {"time.Month", "String", "func() string",
     [](const Value& v, Arguments) { return Value(month_name(v.integer())); }},
    {"time.Weekday", "String", "func() string",
     [](const Value& v, Arguments) { return Value(weekday_name(v.integer())); }},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

}  // namespace slipway::lang::expr
