#include "analysis/compare/look_state.h"

#include <algorithm>
#include <cmath>

#include "judge/sequential/plan.h"

namespace slipway::analysis {
namespace {

double unix_seconds(Time time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}
Time from_unix_seconds(double seconds) {
  return Time(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)));
}

constexpr double kLatest = 9e9;  // unix seconds, as far as nanoseconds reach

std::optional<double> number_at(const json::Object& object, std::string_view key) {
  const json::Value* value = object.if_contains(key);
  const auto number = value ? number_in(*value) : std::nullopt;
  return number && std::abs(*number) <= kLatest ? number : std::nullopt;
}

void put_time(json::Object& object, std::string_view key, double seconds) {
  if (std::isfinite(seconds)) object[key] = seconds;
}

std::optional<Placebos> read_placebos(const json::Object& object) {
  const json::Value* held = object.if_contains("placebos");
  if (!held || !held->is_object()) return std::nullopt;
  const json::Object& inner = held->get_object();
  const auto limit = number_at(inner, "limit");
  if (!limit) return std::nullopt;
  return Placebos{
      .runs = static_cast<std::size_t>(std::clamp(number_at(inner, "runs").value_or(0), 0.0, 1e6)),
      .limit = *limit,
      .peak = number_at(inner, "peak").value_or(0),
      .plan = std::string(json::string_at(*held, {"plan"}))};
}

json::Array to_json(const judge::Usual& usual) {
  json::Array values;
  for (double value : usual.values) values.push_back(value);
  return values;
}

json::Object to_json(const judge::Season& season) {
  return {{"ratios", season.baseline.ratios},   {"middle", season.baseline.middle},
          {"from", season.control.from},        {"step", season.control.step},
          {"control", to_json(season.control)}, {"experiment", to_json(season.experiment)}};
}

// Nothing when a value of it is no number.
std::vector<double> read_usual(const json::Object& object, std::string_view side) {
  const json::Value* list = object.if_contains(side);
  std::vector<double> values;
  if (!list || !list->is_array() || list->get_array().size() > judge::kMaxUsual) return values;
  for (const json::Value& one : list->get_array()) {
    const auto number = number_in(one);
    if (!number || !std::isfinite(*number)) return {};
    values.push_back(*number);
  }
  return values;
}

std::optional<judge::Season> read_season(const json::Object& object) {
  const json::Value* held = object.if_contains("season");
  if (!held || !held->is_object()) return std::nullopt;
  const json::Object& inner = held->get_object();
  const json::Value* ratios = inner.if_contains("ratios");
  const json::Value* middle = inner.if_contains("middle");
  const auto from = number_at(inner, "from"), step = number_at(inner, "step");
  judge::Season season{
      .baseline = {.ratios = ratios && ratios->is_bool() && ratios->get_bool(),
                   .middle = middle ? number_in(*middle).value_or(std::nan("")) : std::nan("")}};
  if (!from || !step || !(*step > 0) || !std::isfinite(season.baseline.middle)) return std::nullopt;
  season.control = {.from = *from, .step = *step, .values = read_usual(inner, "control")};
  season.experiment = {.from = *from, .step = *step, .values = read_usual(inner, "experiment")};
  if (season.control.values.empty() || season.experiment.values.empty()) return std::nullopt;
  return season;
}

}  // namespace

api::FreeForm to_state(const LookState& state) {
  json::Object object;
  if (!state.method.empty()) object["method"] = state.method;
  if (state.skipped > 0) object["skipped"] = state.skipped;
  if (state.first) object["from"] = unix_seconds(*state.first);
  if (state.until) object["until"] = unix_seconds(*state.until);
  put_time(object, "control", state.taken.control);
  put_time(object, "experiment", state.taken.experiment);
  if (state.failed) object["failed"] = true;
  if (state.tau) object["tau"] = *state.tau;
  if (state.season) object["season"] = to_json(*state.season);
  if (state.placebos)
    object["placebos"] = json::Object{{"runs", state.placebos->runs},
                                      {"limit", state.placebos->limit},
                                      {"peak", state.placebos->peak},
                                      {"plan", state.placebos->plan}};
  if (state.uncalibrated) object["uncalibrated"] = *state.uncalibrated;
  if (state.judge.look > 0) object["judge"] = judge::to_json(state.judge);
  api::FreeForm form{.value = std::move(object)};
  write_out_infinities(form.value);
  return form;
}

Result<LookState> read_look_state(const api::FreeForm& form) {
  LookState state;
  if (form.empty()) return state;
  if (!form.value.is_object())
    return fail(ErrorCode::kInvalid, "the state of a comparison is an object", "state");
  const json::Object& object = form.value.get_object();
  state.method = json::string_at(form.value, {"method"});
  if (!state.method.empty() && !judge::is_sequential(state.method))
    return fail(ErrorCode::kInvalid, "\"" + state.method + "\" is no sequential method",
                "state.method");
  state.skipped = static_cast<int>(
      std::clamp(number_at(object, "skipped").value_or(0), 0.0, double(judge::kMaxLooks)));
  if (const auto first = number_at(object, "from")) state.first = from_unix_seconds(*first);
  state.until = asked_until(form);
  state.taken.control = number_at(object, "control").value_or(state.taken.control);
  state.taken.experiment = number_at(object, "experiment").value_or(state.taken.experiment);
  state.failed = has_failed_look(form);
  state.tau = number_at(object, "tau");
  if (state.tau && !(*state.tau >= 1)) state.tau.reset();
  state.season = read_season(object);
  state.placebos = read_placebos(object);
  if (std::string why(json::string_at(form.value, {"uncalibrated"})); !why.empty())
    state.uncalibrated = std::move(why);
  if (const json::Value* inner = object.if_contains("judge")) {
    auto read = judge::read_state(*inner);
    if (!read) {
      Error error = std::move(read).error();
      error.where = "state.judge" + (error.where.empty() ? "" : "." + error.where);
      return std::unexpected(std::move(error));
    }
    state.judge = std::move(*read);
  }
  return state;
}

void LookState::learn_from(const LookState& recorded) {
  tau = recorded.tau;
  season = recorded.season;
  placebos = recorded.placebos;
  if (placebos) placebos->peak = 0;
  uncalibrated = recorded.uncalibrated;
}

std::optional<Time> asked_until(const api::FreeForm& state) {
  if (!state.value.is_object()) return std::nullopt;
  const auto until = number_at(state.value.get_object(), "until");
  return until ? std::optional(from_unix_seconds(*until)) : std::nullopt;
}

bool has_judged_look(const api::FreeForm& state) {
  return json::at(state.value, {"judge"}) != nullptr;
}

bool has_failed_look(const api::FreeForm& state) {
  const json::Value* failed = json::at(state.value, {"failed"});
  return failed && failed->is_bool() && failed->get_bool();
}

}  // namespace slipway::analysis
