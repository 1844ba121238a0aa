#include "judge/answer.h"

#include <fmt/format.h>

namespace slipway::judge {

namespace {

json::Value or_null(const std::optional<double>& number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

json::Object as_json(const Look& look) {
  return {{"look", look.look},
          {"s", look.s},
          {"v", look.v},
          {"z", look.z},
          {"boundary", look.boundary},
          {"logM", look.log_m},
          {"p", look.p},
          {"alphaSpent", look.alpha_spent},
          {"verdict", to_string(look.verdict)}};
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kInconclusive:
      break;
  }
  return "inconclusive";
}

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::kIncrease:
      return "increase";
    case Direction::kDecrease:
      return "decrease";
    case Direction::kEither:
      break;
  }
  return "either";
}

Result<Direction> parse_direction(std::string_view word) {
  for (auto direction : {Direction::kIncrease, Direction::kDecrease, Direction::kEither})
    if (word == to_string(direction)) return direction;
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not a direction; write increase, decrease or either", word),
              "direction");
}

Direction mirrored(Direction direction) {
  if (direction == Direction::kIncrease) return Direction::kDecrease;
  if (direction == Direction::kDecrease) return Direction::kIncrease;
  return direction;
}

json::Object to_json(const Answer& answer) {
  json::Object out{
      {"method", answer.method},
      {"direction", to_string(answer.direction)},
      {"verdict", to_string(answer.verdict)},
      {"p", or_null(answer.p)},
      {"statistic", or_null(answer.statistic)},
      {"n", json::Array{answer.control_points, answer.experiment_points}},
      {"effect", json::Object{{"ratio", answer.effect.ratio},
                              {"cles", answer.effect.cles},
                              {"shift", answer.effect.shift},
                              {"low", answer.effect.low},
                              {"high", answer.effect.high}}},
      {"label", answer.label.empty() ? json::Value(nullptr) : json::Value(answer.label)},
      {"critical", answer.critical},
      {"reason", answer.reason}};
  if (!answer.looks.empty()) {
    out["effect"].get_object()["mde"] = answer.effect.mde;
    json::Array looks;
    for (const auto& look : answer.looks) looks.push_back(as_json(look));
    out["looks"] = std::move(looks);
  }
  return out;
}

}  // namespace slipway::judge
