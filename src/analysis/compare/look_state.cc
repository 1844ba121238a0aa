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
      .peak = number_at(inner, "peak").value_or(0)};
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
  if (state.placebos)
    object["placebos"] = json::Object{{"runs", state.placebos->runs},
                                      {"limit", state.placebos->limit},
                                      {"peak", state.placebos->peak}};
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

std::optional<Time> asked_until(const api::FreeForm& state) {
  if (!state.value.is_object()) return std::nullopt;
  const auto until = number_at(state.value.get_object(), "until");
  return until ? std::optional(from_unix_seconds(*until)) : std::nullopt;
}

bool has_failed_look(const api::FreeForm& state) {
  const json::Value* failed = json::at(state.value, {"failed"});
  return failed && failed->is_bool() && failed->get_bool();
}

}  // namespace slipway::analysis
