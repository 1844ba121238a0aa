#include "judge/sequential/state.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "judge/ranks.h"
#include "judge/sequential/plan.h"

namespace slipway::judge {
namespace {

constexpr std::size_t kPastFields = 7;
constexpr std::size_t kWindowFields = 4;

json::Array numbers(const std::vector<double>& values) {
  json::Array array;
  for (double value : values) array.push_back(value);
  return array;
}

// Non-finite numbers are written as these texts by base/json.
Result<double> read_number(const json::Value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_string()) {
    const auto& text = value.get_string();
    if (text == "+Inf") return std::numeric_limits<double>::infinity();
    if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  }
  return fail(ErrorCode::kInvalid, fmt::format("{} is not a number", json::write(value)));
}

// Reads fields of one object; the first error stays.
class Reader {
 public:
  explicit Reader(const json::Object& object) : object_(object) {}

  double number(std::string_view key, double low, double high) {
    const json::Value* value = object_.if_contains(key);
    if (value == nullptr) return 0;
    auto found = read_number(*value);
    if (found && *found >= low && *found <= high) return *found;
    refuse(key, json::write(*value));
    return 0;
  }

  std::vector<double> list(std::string_view key, std::size_t most) {
    std::vector<double> values;
    const json::Value* value = object_.if_contains(key);
    if (value == nullptr) return values;
    if (!value->is_array() || value->get_array().size() > most) {
      refuse(key, fmt::format("no array of at most {} numbers", most));
      return values;
    }
    for (const json::Value& one : value->get_array()) {
      auto number = read_number(one);
      if (!number || std::isnan(*number)) refuse(key, json::write(one));
      values.push_back(number.value_or(0));
    }
    return values;
  }

  bool flag(std::string_view key) {
    const json::Value* value = object_.if_contains(key);
    if (value != nullptr && !value->is_bool()) refuse(key, json::write(*value));
    return value != nullptr && value->is_bool() && value->get_bool();
  }

  void refuse(std::string_view key, const std::string& found) {
    if (error_.message.empty()) {
      error_ = {.code = ErrorCode::kInvalid,
                .message = fmt::format("{} is not what a state of a sequential test holds", found),
                .where = std::string(key)};
    }
  }

  bool good() const { return error_.message.empty(); }
  Error error() const { return error_; }

 private:
  const json::Object& object_;
  Error error_;
};

void read_past(Reader& reader, State& state) {
  const auto flat = reader.list("past", kPastFields * kMaxLooks);
  if (flat.size() != kPastFields * static_cast<std::size_t>(state.look)) {
    reader.refuse("past", fmt::format("a list of {} numbers", flat.size()));
    return;
  }
  for (std::size_t i = 0; i + kPastFields <= flat.size(); i += kPastFields) {
    const Past past = {.up = {.s = flat[i], .v = flat[i + 2], .v_bound = flat[i + 4]},
                       .down = {.s = flat[i + 1], .v = flat[i + 3], .v_bound = flat[i + 5]},
                       .boundary = flat[i + 6]};
    bool good = past.up.v_bound >= 0 && past.down.v_bound >= 0 && std::isfinite(past.boundary);
    for (std::size_t k = 0; k < kPastFields; ++k) good = good && std::isfinite(flat[i + k]);
    if (!good) reader.refuse("past", fmt::format("look {}", i / kPastFields + 1));
    state.past.push_back(past);
  }
}

void read_windows(Reader& reader, State& state) {
  const auto flat = reader.list("windows", kWindowFields * kMaxLooks);
  for (std::size_t i = 0; i + kWindowFields <= flat.size(); i += kWindowFields) {
    const CountWindow window = {.control = flat[i],
                                .control_exposure = flat[i + 1],
                                .experiment = flat[i + 2],
                                .experiment_exposure = flat[i + 3]};
    bool good = window.control_exposure > 0 && window.experiment_exposure > 0;
    for (std::size_t k = 0; k < kWindowFields; ++k) {
      good = good && flat[i + k] >= 0 && std::isfinite(flat[i + k]);
    }
    if (!good) reader.refuse("windows", fmt::format("window {}", i / kWindowFields));
    state.windows.push_back(window);
  }
  if (flat.size() % kWindowFields != 0 ||
      state.windows.size() > static_cast<std::size_t>(state.look)) {
    reader.refuse("windows", fmt::format("a list of {} numbers", flat.size()));
  }
}

void read_kept(Reader& reader, State& state) {
  state.control = reader.list("control", kMaxKept);
  state.experiment = reader.list("experiment", kMaxKept);
  std::size_t sums[2] = {0, 0};
  const auto sizes = reader.list("keptSizes", 2 * kMaxLooks);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool whole = sizes[i] >= 1 && sizes[i] <= kMaxKept && std::floor(sizes[i]) == sizes[i];
    if (!whole) return reader.refuse("keptSizes", fmt::format("{}", sizes[i]));
    state.kept_sizes.push_back(static_cast<std::size_t>(sizes[i]));
    sums[i % 2] += state.kept_sizes.back();
  }
  if (sizes.size() % 2 != 0 || sums[0] != state.control.size() ||
      sums[1] != state.experiment.size()) {
    reader.refuse("keptSizes", fmt::format("{} and {}", sums[0], sums[1]));
  }
}

void read_bands(Reader& reader, State& state) {
  state.edges = reader.list("edges", kMaxEdges);
  state.control_below = reader.list("controlBelow", kMaxEdges);
  state.experiment_below = reader.list("experimentBelow", kMaxEdges);
  const bool sized = state.control_below.size() == state.edges.size() &&
                     state.experiment_below.size() == state.edges.size();
  if (!sized) return reader.refuse("edges", fmt::format("{} edges", state.edges.size()));
  if (state.edges.empty()) return;
  bool good = std::isinf(state.edges.back()) && state.edges.back() > 0 && state.tuned_for > 0;
  for (const auto* list : {&state.edges, &state.control_below, &state.experiment_below}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      good = good && (i == 0 ? !std::isnan((*list)[0]) : (*list)[i] >= (*list)[i - 1]);
    }
  }
  for (const auto* list : {&state.control_below, &state.experiment_below}) {
    good = good && list->front() >= 0 && list->back() > 0 && std::isfinite(list->back());
  }
  if (!good) reader.refuse("edges", "a list out of order");
}

}  // namespace

json::Object to_json(const State& state) {
  json::Object object;
  object["plan"] = state.plan;
  object["look"] = state.look;
  object["alphaSpent"] = state.spent;
  object["failed"] = state.failed;
  object["logPeak"] = state.log_peak;
  object["p"] = state.p;
  object["tunedFor"] = state.tuned_for;
  object["logScale"] = state.log_scale;
  object["controlPoints"] = state.control_points;
  object["experimentPoints"] = state.experiment_points;
  json::Array past;
  for (const Past& one : state.past) {
    for (double value : {one.up.s, one.down.s, one.up.v, one.down.v, one.up.v_bound,
                         one.down.v_bound, one.boundary}) {
      past.push_back(value);
    }
  }
  object["past"] = std::move(past);
  json::Array sizes;
  for (std::size_t size : state.kept_sizes) sizes.push_back(size);
  json::Array windows;
  for (const CountWindow& one : state.windows) {
    for (double value :
         {one.control, one.control_exposure, one.experiment, one.experiment_exposure}) {
      windows.push_back(value);
    }
  }
  const std::initializer_list<std::pair<std::string_view, json::Array>> lists = {
      {"control", numbers(state.control)},
      {"experiment", numbers(state.experiment)},
      {"keptSizes", std::move(sizes)},
      {"windows", std::move(windows)},
      {"edges", numbers(state.edges)},
      {"controlBelow", numbers(state.control_below)},
      {"experimentBelow", numbers(state.experiment_below)}};
  for (const auto& [key, list] : lists) {
    if (!list.empty()) object[key] = list;
  }
  return object;
}

Result<State> read_state(const json::Value& value) {
  if (!value.is_object()) {
    return fail(ErrorCode::kInvalid, "the state of a sequential test is an object");
  }
  const json::Object& object = value.get_object();
  Reader reader(object);
  State state;
  if (const json::Value* plan = object.if_contains("plan"); plan != nullptr && plan->is_string()) {
    state.plan = std::string(plan->get_string());
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kMaxCounted = 1e18;
  state.look = static_cast<int>(reader.number("look", 0, kMaxLooks));
  state.spent = reader.number("alphaSpent", 0, 1);
  state.failed = reader.flag("failed");
  state.log_peak = reader.number("logPeak", 0, kInfinity);
  state.p = object.contains("p") ? reader.number("p", 0, 1) : 1;
  state.tuned_for = reader.number("tunedFor", 0, std::numeric_limits<double>::max());
  state.log_scale = reader.flag("logScale");
  state.control_points = static_cast<std::size_t>(reader.number("controlPoints", 0, kMaxCounted));
  state.experiment_points =
      static_cast<std::size_t>(reader.number("experimentPoints", 0, kMaxCounted));
  read_past(reader, state);
  read_windows(reader, state);
  read_kept(reader, state);
  read_bands(reader, state);
  if (!reader.good()) return std::unexpected(reader.error());
  return state;
}

}  // namespace slipway::judge
