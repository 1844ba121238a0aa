#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/kayenta/compile_kayenta.h"
#include "base/text.h"

// What a Kayenta analysis is given beside its configuration.
namespace slipway::analysis {

namespace {

constexpr std::string_view kDefaultScope = "default";

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

// Far beyond any analysis, and far from overflowing.
constexpr Duration kLongest = std::chrono::hours(24 * 365);
constexpr double kMostUnits = 1e6;

Result<Duration> duration_of(std::string_view text, Duration unit, const std::string& where) {
  auto duration = parse_duration(text);
  if (const auto bare = number_of(text);
      bare && std::abs(*bare) <= kMostUnits && (!duration || *bare != 0))
    duration =
        Duration(static_cast<std::int64_t>(*bare * static_cast<double>(unit.count()) / 1e3) * 1000);
  if (!duration || *duration < Duration::zero() || *duration > kLongest)
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not a duration; write 30s, 5m or 1h", text), where);
  return duration;
}

Result<Time> time_of(std::string_view text, const std::string& where) {
  auto time = parse_time(text);
  if (!time) time.error().where = where;
  return time;
}

Result<> read_into(Duration& target, Result<Duration> value) {
  if (!value) return std::unexpected(std::move(value).error());
  target = *value;
  return {};
}
Result<> read_into(std::optional<Time>& target, Result<Time> value) {
  if (!value) return std::unexpected(std::move(value).error());
  target = *value;
  return {};
}
Result<> read_into(std::optional<double>& target, std::string_view text, const std::string& where) {
  target = number_of(text);
  if (!target) return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is not a number", text), where);
  return {};
}

// One of the two sides, or null when the name is about neither.
std::string* scope_field(KayentaScopes& scopes, std::string_view name) {
  if (name == "controlScope") return &scopes.control.scope;
  if (name == "experimentScope") return &scopes.experiment.scope;
  if (name == "controlLocation") return &scopes.control.location;
  if (name == "experimentLocation") return &scopes.experiment.location;
  return nullptr;
}

// True when the argument was one of those about time and limits.
Result<bool> read_timing(const std::string& name, const std::string& value,
                         KayentaOptions& options) {
  using std::chrono::minutes;
  using std::chrono::seconds;
  const struct {
    std::string_view name;
    Duration* target;
    Duration unit;
  } durations[] = {{"lifetime", &options.lifetime, minutes(1)},
                   {"interval", &options.interval, minutes(1)},
                   {"step", &options.step, seconds(1)},
                   {"beginAfter", &options.begin_after, minutes(1)},
                   {"lookback", &options.lookback, minutes(1)},
                   {"controlOffset", &options.control_offset, minutes(1)}};
  for (const auto& row : durations) {
    if (row.name != name) continue;
    SLIPWAY_TRY(read_into(*row.target, duration_of(value, row.unit, name)));
    return true;
  }
  if (name == "start" || name == "end") {
    SLIPWAY_TRY(read_into(name == "start" ? options.start : options.end, time_of(value, name)));
    return true;
  }
  if (name == "pass" || name == "marginal") {
    SLIPWAY_TRY(read_into(name == "pass" ? options.pass : options.marginal, value, name));
    return true;
  }
  return false;
}

void read_extended(std::string_view name, const std::string& value, KayentaScopes& scopes) {
  constexpr std::string_view kControl = "control.", kExperiment = "experiment.";
  if (name.starts_with(kControl)) {
    scopes.control.extended[std::string(name.substr(kControl.size()))] = value;
  } else if (name.starts_with(kExperiment)) {
    scopes.experiment.extended[std::string(name.substr(kExperiment.size()))] = value;
  } else {
    scopes.control.extended.emplace(name, value);
    scopes.experiment.extended.emplace(name, value);
  }
}

void read_scope(const json::Value& scope, KayentaScope& out) {
  out.scope = json::string_at(scope, {"scope"});
  out.location = json::string_at(scope, {"location"});
  const json::Value* extended = json::at(scope, {"extendedScopeParams"});
  if (extended == nullptr || !extended->is_object()) return;
  for (const auto& [name, value] : extended->get_object())
    out.extended[std::string(name)] =
        value.is_string() ? std::string(value.get_string()) : json::write(value);
}

std::string plain(const json::Value* value) {
  if (value == nullptr || value->is_null()) return {};
  return value->is_string() ? std::string(value->get_string()) : json::write(*value);
}

// Members of Kayenta's requests, and what the same is called as an argument here.
Result<> read_named(const json::Value& object, std::string_view member, const std::string& argument,
                    const std::string& where, KayentaOptions& options) {
  const std::string value = plain(json::at(object, {member}));
  if (value.empty()) return {};
  auto read = read_timing(argument, value, options);
  if (read) return {};
  read.error().where = fmt::format("{}.{}", where, member);
  return std::unexpected(std::move(read).error());
}

// In seconds, whose differences cannot overflow.
Result<> read_offset(Time later, Time earlier, KayentaOptions& options) {
  using std::chrono::seconds;
  const auto apart = std::chrono::floor<seconds>(later).time_since_epoch() -
                     std::chrono::floor<seconds>(earlier).time_since_epoch();
  if (apart > kLongest)
    return fail(
        ErrorCode::kInvalid,
        fmt::format("control ({}) and experiment are more than a year apart", format_time(earlier)),
        "scopes");
  options.control_offset = apart;
  return {};
}

// POST /canary: {"scopes": {"default": {"controlScope": {…}, "experimentScope": {…}}}}
Result<> read_execution_scopes(const json::Object& scopes, KayentaOptions& options) {
  for (const auto& [name, pair] : scopes) {
    KayentaScopes& out = options.scopes[std::string(name)];
    const json::Value* control = json::at(pair, {"controlScope"});
    const json::Value* experiment = json::at(pair, {"experimentScope"});
    if (control == nullptr || experiment == nullptr)
      return fail(ErrorCode::kInvalid, "needs a controlScope and an experimentScope",
                  fmt::format("scopes.{}", std::string_view(name)));
    read_scope(*control, out.control);
    read_scope(*experiment, out.experiment);
    const std::string where = fmt::format("scopes.{}.experimentScope", std::string_view(name));
    for (const std::string_view member : {"start", "end", "step"})
      SLIPWAY_TRY(read_named(*experiment, member, std::string(member), where, options));
    if (const auto earlier = parse_time(plain(json::at(*control, {"start"})));
        earlier && options.start && *earlier <= *options.start)
      SLIPWAY_TRY(read_offset(*options.start, *earlier, options));
  }
  return {};
}

// POST /standalone_canary_analysis: {"scopes": [{"scopeName": …, "controlScope": "…", …}]}
Result<> read_standalone_scopes(const json::Array& scopes, KayentaOptions& options) {
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const json::Value& given = scopes[i];
    const std::string_view name = json::string_at(given, {"scopeName"});
    KayentaScopes& out = options.scopes[std::string(name.empty() ? kDefaultScope : name)];
    read_scope(given, out.control);
    out.experiment = out.control;
    for (const std::string_view member :
         {"controlScope", "experimentScope", "controlLocation", "experimentLocation"})
      *scope_field(out, member) = json::string_at(given, {member});
    const struct {
      std::string_view member;
      const char* argument;
    } names[] = {{"startTimeIso", "start"},
                 {"endTimeIso", "end"},
                 {"step", "step"},
                 {"controlOffsetInMinutes", "controlOffset"}};
    for (const auto& row : names)
      SLIPWAY_TRY(
          read_named(given, row.member, row.argument, fmt::format("scopes[{}]", i), options));
  }
  return {};
}

}  // namespace

Result<KayentaOptions> kayenta_options(const std::map<std::string, std::string>& args, Time now) {
  KayentaOptions options{.now = now};
  KayentaScopes& common = options.scopes[std::string(kDefaultScope)];
  // What is for all scopes first, so that each begins with it.
  for (const auto& [name, value] : args) {
    const std::size_t dot = name.rfind('.');
    const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
    KayentaScopes probe;
    if (dot != std::string::npos && (scope_field(probe, last) != nullptr || last == "address"))
      continue;
    if (std::string* field = scope_field(common, name)) {
      *field = value;
      continue;
    }
    if (name == "address") {
      options.sources[""].address = value;
      continue;
    }
    auto timing = read_timing(name, value, options);
    if (!timing) return std::unexpected(std::move(timing).error());
    if (!*timing) read_extended(name, value, common);
  }
  for (const auto& [name, value] : args) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string first = name.substr(0, dot), last = name.substr(dot + 1);
    KayentaScopes probe;
    if (last == "address") options.sources[first].address = value;
    if (scope_field(probe, last) == nullptr) continue;
    *scope_field(options.scopes.emplace(first, common).first->second, last) = value;
  }
  return options;
}

std::string_view meant_kayenta_argument(std::string_view name) {
  static const std::vector<std::string_view> kKnown = {"controlScope",
                                                       "experimentScope",
                                                       "controlLocation",
                                                       "experimentLocation",
                                                       "start",
                                                       "end",
                                                       "lifetime",
                                                       "interval",
                                                       "step",
                                                       "beginAfter",
                                                       "lookback",
                                                       "controlOffset",
                                                       "pass",
                                                       "marginal",
                                                       "address"};
  const std::string_view last = name.substr(name.rfind('.') + 1);  // of "web.controlScope", too
  return std::ranges::find(kKnown, last) == kKnown.end() ? text::likely(last, kKnown)
                                                         : std::string_view();
}

Result<> read_kayenta_request(const json::Value& request, KayentaOptions& options) {
  const json::Value* scopes = json::at(request, {"scopes"});
  if (scopes != nullptr && scopes->is_object())
    SLIPWAY_TRY(read_execution_scopes(scopes->get_object(), options));
  if (scopes != nullptr && scopes->is_array())
    SLIPWAY_TRY(read_standalone_scopes(scopes->get_array(), options));
  const struct {
    std::string_view member;
    const char* argument;
  } names[] = {{"lifetimeDurationMins", "lifetime"},
               {"beginAfterMins", "beginAfter"},
               {"lookbackMins", "lookback"},
               {"analysisIntervalMins", "interval"}};
  for (const auto& row : names)
    SLIPWAY_TRY(read_named(request, row.member, row.argument, "request", options));
  const json::Value* thresholds = json::at(request, {"thresholds"});
  if (thresholds == nullptr) return {};
  for (const std::string_view member : {"pass", "marginal"})
    SLIPWAY_TRY(read_named(*thresholds, member, std::string(member), "thresholds", options));
  return {};
}

}  // namespace slipway::analysis
