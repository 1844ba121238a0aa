#include "cli/judge_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "base/file.h"
#include "judge/kayenta/classify.h"
#include "judge/mann_whitney.h"
#include "judge/sequential/sequential.h"

namespace slipway::cli {

namespace {

using judge::Answer;
using judge::kayenta::Metric;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::optional<double> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::unexpected<Error> refuse(const json::Value& found, std::string_view wanted,
                              std::string where) {
  return fail(ErrorCode::kInvalid, fmt::format("{} is not {}", json::write(found), wanted),
              std::move(where));
}

Result<std::vector<double>> read_points(const json::Object& asked, std::string_view side) {
  const json::Value* value = asked.if_contains(side);
  if (value == nullptr)
    return fail(ErrorCode::kInvalid, "missing; write a list of numbers", std::string(side));
  if (!value->is_array()) return refuse(*value, "a list of numbers", std::string(side));
  std::vector<double> out;
  out.reserve(value->get_array().size());
  for (const auto& point : value->get_array()) {
    if (!point.is_number() && !point.is_null())
      return refuse(point, "a number", fmt::format("{}[{}]", side, out.size()));
    out.push_back(point.is_null() ? kMissing : point.to_number<double>());
  }
  return out;
}

// One option of a method: its name, and how its value is taken.
template <class Options>
struct Option {
  std::string_view name;
  std::string_view wanted;  // "true or false", "a number"
  bool (*take)(const json::Value& value, Options& into);
};

template <auto kMember, class Options>
bool take_number(const json::Value& value, Options& into) {
  if (!value.is_number()) return false;
  into.*kMember = value.to_number<double>();
  return true;
}

template <auto kMember, class Options>
bool take_bool(const json::Value& value, Options& into) {
  if (!value.is_bool()) return false;
  into.*kMember = value.get_bool();
  return true;
}

template <auto kMember>
bool take_gate(const json::Value& value, Metric& into) {
  return take_number<kMember>(value, into.effect_size);
}

// True when the value is one of the two words; `target` then says whether it is the second.
bool take_word(const json::Value& value, std::string_view first, std::string_view second,
               bool& target) {
  if (!value.is_string()) return false;
  const std::string_view word = value.get_string();
  target = word == second;
  return word == first || word == second;
}

const Option<judge::MannWhitneyOptions> kMannWhitneyOptions[] = {
    {"alpha", "a number", take_number<&judge::MannWhitneyOptions::alpha>},
    {"legacyTwoSided", "true or false", take_bool<&judge::MannWhitneyOptions::legacy_two_sided>}};

using judge::kayenta::EffectSize;
const Option<Metric> kKayentaOptions[] = {
    {"tolerance", "a number", take_number<&Metric::tolerance>},
    {"confidence", "a number", take_number<&Metric::confidence>},
    {"solver", "exact or legacy",
     [](const json::Value& value, Metric& into) {
       bool legacy = false;
       const bool good = take_word(value, "exact", "legacy", legacy);
       into.solver = legacy ? judge::kayenta::Solver::kLegacy : judge::kayenta::Solver::kExact;
       return good;
     }},
    {"measure", "meanRatio or cles",
     [](const json::Value& value, Metric& into) {
       bool cles = false;
       const bool good = take_word(value, "meanRatio", "cles", cles);
       into.effect_size.measure =
           cles ? judge::kayenta::Measure::kCles : judge::kayenta::Measure::kMeanRatio;
       return good;
     }},
    {"allowedIncrease", "a number", take_gate<&EffectSize::allowed_increase>},
    {"allowedDecrease", "a number", take_gate<&EffectSize::allowed_decrease>},
    {"criticalIncrease", "a number", take_gate<&EffectSize::critical_increase>},
    {"criticalDecrease", "a number", take_gate<&EffectSize::critical_decrease>},
    {"critical", "true or false", take_bool<&Metric::critical>},
    {"mustHaveData", "true or false", take_bool<&Metric::must_have_data>},
    {"nanStrategy", "remove or replace",
     [](const json::Value& value, Metric& into) {
       bool replace = false;
       const bool good = take_word(value, "remove", "replace", replace);
       into.nan_strategy =
           replace ? judge::kayenta::NanStrategy::kReplace : judge::kayenta::NanStrategy::kRemove;
       return good;
     }},
    {"outliers", "keep or remove",
     [](const json::Value& value, Metric& into) {
       return take_word(value, "keep", "remove", into.remove_outliers);
     }},
    {"outlierFactor", "a number", take_number<&Metric::outlier_factor>}};

template <class Options, std::size_t kCount>
Result<> read_options(const json::Object& asked, const Option<Options> (&known)[kCount],
                      Options& into) {
  const json::Value* given = asked.if_contains("options");
  if (given == nullptr || given->is_null()) return {};
  if (!given->is_object()) return refuse(*given, "an object of options", "options");
  for (const auto& [key, value] : given->get_object()) {
    const std::string_view name = key;
    const auto* found = std::ranges::find(known, name, &Option<Options>::name);
    const auto where = fmt::format("options.{}", name);
    if (found == std::end(known)) {
      std::vector<std::string_view> names;
      for (const auto& option : known) names.push_back(option.name);
      return fail(ErrorCode::kInvalid,
                  fmt::format("not an option of this method; there are {}", fmt::join(names, ", ")),
                  where);
    }
    if (!found->take(value, into)) return refuse(value, found->wanted, where);
  }
  return {};
}

bool holds_events(const json::Value& looks) {
  return looks.is_array() && !looks.get_array().empty() &&
         json::at(looks.get_array().front(), {"control", "events"}) != nullptr;
}

Result<std::string> method_of(const json::Object& asked) {
  if (const auto* method = asked.if_contains("method"); method != nullptr && !method->is_null()) {
    if (!method->is_string()) return refuse(*method, "the name of a method", "method");
    return std::string(method->get_string());
  }
  const auto* looks = asked.if_contains("looks");
  if (looks == nullptr) return "mann-whitney";
  return holds_events(*looks) ? "counts" : "stratified-rank";
}

Result<judge::Direction> direction_of(const json::Object& asked) {
  const auto* direction = asked.if_contains("direction");
  if (direction == nullptr || direction->is_null()) return judge::Direction::kEither;
  if (!direction->is_string())
    return refuse(*direction, "a direction; write increase, decrease or either", "direction");
  return judge::parse_direction(direction->get_string());
}

Result<Answer> judge_looks(json::Object asked, std::string_view method) {
  asked["method"] = method;
  auto wanted = judge::read_sequential_case(asked);
  if (!wanted) return std::unexpected(std::move(wanted).error());
  return judge::judge_sequential(*wanted);
}

Result<Answer> judge_once(const json::Object& asked, std::string_view method) {
  auto direction = direction_of(asked);
  if (!direction) return std::unexpected(std::move(direction).error());
  auto control = read_points(asked, "control");
  if (!control) return std::unexpected(std::move(control).error());
  auto experiment = read_points(asked, "experiment");
  if (!experiment) return std::unexpected(std::move(experiment).error());
  if (method == "kayenta") {
    Metric metric{.direction = *direction};
    SLIPWAY_TRY(read_options(asked, kKayentaOptions, metric));
    return judge::kayenta::judge_kayenta(*control, *experiment, metric);
  }
  judge::MannWhitneyOptions options{.direction = *direction};
  SLIPWAY_TRY(read_options(asked, kMannWhitneyOptions, options));
  return judge::judge_mann_whitney(*control, *experiment, options);
}

}  // namespace

Result<Answer> judge_case(const json::Object& asked) {
  auto method = method_of(asked);
  if (!method) return std::unexpected(std::move(method).error());
  if (judge::is_sequential(*method)) return judge_looks(asked, *method);
  if (*method != "mann-whitney" && *method != "kayenta")
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not a method; there are mann-whitney, kayenta, signed-rank, "
                            "stratified-rank, counts and distribution",
                            *method),
                "method");
  return judge_once(asked, *method);
}

Result<json::Array> read_numbers(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n,;";
  const auto first = text.find_first_not_of(kBetween);
  if (first != std::string_view::npos && text[first] == '[') {
    auto value = json::read(text, {.max_bytes = file::kMaxFile, .allow_nan = true});
    if (!value) return std::unexpected(std::move(value).error());
    if (!value->is_array()) return refuse(*value, "a list of numbers", {});
    return std::move(value->get_array());
  }
  json::Array out;
  for (auto at = first; at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kBetween, at), text.size());
    const auto word = text.substr(at, end - at);
    const auto number = parse_number(word);
    if (!number)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("line {}: \"{}\" is not a number; write a JSON list, or numbers "
                      "between blanks, commas or line ends",
                      1 + std::ranges::count(text.substr(0, at), '\n'), word.substr(0, 40)));
    out.push_back(*number);
    at = text.find_first_not_of(kBetween, end);
  }
  return out;
}

Result<> add_option(json::Object& options, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not an option; write name=value, such as alpha=0.01", word),
                "--option");
  const auto value = word.substr(equals + 1);
  auto& target = options[word.substr(0, equals)];
  if (value == "true" || value == "false")
    target = value == "true";
  else if (const auto number = parse_number(value))
    target = *number;
  else
    target = value;
  return {};
}

}  // namespace slipway::cli
