#include <fmt/format.h>

#include <limits>

#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

Result<double> as_number(const json::Value& value, const std::string& where) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  return fail(ErrorCode::kInvalid, fmt::format("{} is not a number", json::write(value)), where);
}

Result<> read_points(const json::Array& array, const std::string& where, Side& side) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    auto number = as_number(array[i], fmt::format("{}[{}]", where, i));
    if (!number) return std::unexpected(std::move(number).error());
    side.points.push_back(*number);
  }
  return {};
}

Result<> read_buckets(const json::Array& array, const std::string& where, Side& side) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", where, i);
    if (!array[i].is_array() || array[i].get_array().size() != 2) {
      return fail(
          ErrorCode::kInvalid,
          fmt::format("{} is not a bucket; write [upper end, count]", json::write(array[i])), at);
    }
    auto upper = as_number(array[i].get_array()[0], at);
    if (!upper) return std::unexpected(std::move(upper).error());
    auto count = as_number(array[i].get_array()[1], at);
    if (!count) return std::unexpected(std::move(count).error());
    side.buckets.push_back({.upper = *upper, .count = *count});
  }
  return {};
}

Result<> read_count(const json::Object& object, std::string_view key, const std::string& where,
                    double& into) {
  const json::Value* value = object.if_contains(key);
  if (value == nullptr) {
    return fail(ErrorCode::kInvalid, R"(a count is {"events": …, "exposure": …})", where);
  }
  auto number = as_number(*value, fmt::format("{}.{}", where, key));
  if (!number) return std::unexpected(std::move(number).error());
  into = *number;
  return {};
}

Result<Side> read_side(const json::Object& look, std::string_view name, const std::string& where) {
  Side side;
  const json::Value* value = look.if_contains(name);
  if (value == nullptr || value->is_null()) return side;
  if (value->is_array()) {
    SLIPWAY_TRY(read_points(value->get_array(), where, side));
    return side;
  }
  if (!value->is_object()) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is neither a list of numbers nor a count", json::write(*value)),
                where);
  }
  const json::Object& object = value->get_object();
  if (const json::Value* buckets = object.if_contains("buckets")) {
    if (!buckets->is_array()) {
      return fail(ErrorCode::kInvalid, "buckets are a list of [upper end, count]", where);
    }
    SLIPWAY_TRY(read_buckets(buckets->get_array(), where + ".buckets", side));
    return side;
  }
  SLIPWAY_TRY(read_count(object, "events", where, side.events));
  SLIPWAY_TRY(read_count(object, "exposure", where, side.exposure));
  return side;
}

Result<Evidence> read_evidence(const json::Object& look, const std::string& where) {
  auto control = read_side(look, "control", where + "control");
  if (!control) return std::unexpected(std::move(control).error());
  auto experiment = read_side(look, "experiment", where + "experiment");
  if (!experiment) return std::unexpected(std::move(experiment).error());
  return Evidence{.control = std::move(*control), .experiment = std::move(*experiment)};
}

Result<> read_looks(const json::Object& object, std::vector<Evidence>& looks) {
  const json::Value* value = object.if_contains("looks");
  if (value == nullptr) {
    auto one = read_evidence(object, "");
    if (!one) return std::unexpected(std::move(one).error());
    looks.push_back(std::move(*one));
    return {};
  }
  if (!value->is_array() || value->get_array().size() > static_cast<std::size_t>(kMaxLooks)) {
    return fail(ErrorCode::kInvalid, fmt::format("is no list of at most {} looks", kMaxLooks),
                "looks");
  }
  for (const json::Value& look : value->get_array()) {
    const std::string where = fmt::format("looks[{}]", looks.size());
    if (!look.is_object()) {
      return fail(ErrorCode::kInvalid, R"(a look is {"control": …, "experiment": …})", where);
    }
    auto one = read_evidence(look.get_object(), where + ".");
    if (!one) return std::unexpected(std::move(one).error());
    looks.push_back(std::move(*one));
  }
  return {};
}

template <class T>
Result<> read_word(const json::Value& value, const std::string& key,
                   Result<T> (*parse)(std::string_view), T& into) {
  const std::string_view word = value.is_string() ? std::string_view(value.get_string()) : "";
  auto parsed = parse(value.is_string() ? word : json::write(value));
  if (!parsed) {
    Error error = std::move(parsed).error();
    error.where = key;
    return std::unexpected(std::move(error));
  }
  into = *parsed;
  return {};
}

Result<> read_option(const std::string& key, const json::Value& value, Plan& plan) {
  const std::string where = "options." + key;
  if (key == "sequential") return read_word(value, where, parse_monitoring, plan.monitoring);
  if (key == "spending") return read_word(value, where, parse_spending, plan.spending);
  if (key == "lateOnset") {
    if (!value.is_bool()) {
      return fail(ErrorCode::kInvalid, fmt::format("{} is not true or false", json::write(value)),
                  where);
    }
    plan.late_onset = value.get_bool();
    return {};
  }
  double* into = key == "alpha"    ? &plan.alpha
                 : key == "margin" ? &plan.margin
                 : key == "tau"    ? &plan.tau
                 : key == "gamma"  ? &plan.gamma
                                   : nullptr;
  if (into == nullptr && key != "plannedLooks") {
    return fail(ErrorCode::kInvalid,
                "not an option of a sequential method; there are alpha, margin, sequential, "
                "spending, gamma, plannedLooks, tau, lateOnset",
                where);
  }
  auto number = as_number(value, where);
  if (!number) return std::unexpected(std::move(number).error());
  if (into != nullptr) {
    *into = *number;
    return {};
  }
  if (!(*number >= 1 && *number <= kMaxLooks) || *number != static_cast<int>(*number)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is not a number of looks; write 1 to {}", *number, kMaxLooks),
                where);
  }
  plan.planned_looks = static_cast<int>(*number);
  return {};
}

}  // namespace

Result<SequentialCase> read_sequential_case(const json::Object& object) {
  SequentialCase found;
  auto method = object.if_contains("method");
  if (method == nullptr) return fail(ErrorCode::kInvalid, "a method is needed", "method");
  SLIPWAY_TRY(read_word(*method, "method", parse_engine, found.plan.engine));
  if (auto direction = object.if_contains("direction")) {
    SLIPWAY_TRY(read_word(*direction, "direction", parse_direction, found.plan.direction));
  }
  if (auto options = object.if_contains("options")) {
    if (!options->is_object()) {
      return fail(ErrorCode::kInvalid, "options are an object", "options");
    }
    for (const auto& [key, value] : options->get_object()) {
      SLIPWAY_TRY(read_option(std::string(key), value, found.plan));
    }
  }
  SLIPWAY_TRY(read_looks(object, found.looks));
  return found;
}

}  // namespace slipway::judge
