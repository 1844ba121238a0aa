#include "cli/judge.h"

#include <fmt/format.h>

#include <cmath>

#include "base/file.h"
#include "cli/batch.h"
#include "cli/exit_code.h"
#include "cli/judge_case.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

using judge::Answer;
using judge::Verdict;

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return kExitDone;
    case Verdict::kFail:
      return kExitFailed;
    case Verdict::kInconclusive:
      break;
  }
  return kExitInconclusive;
}

std::string coloured(Verdict verdict, bool colour) {
  const std::string_view word = verdict == Verdict::kPass   ? "PASS"
                                : verdict == Verdict::kFail ? "FAIL"
                                                            : "INCONCLUSIVE";
  const int code = verdict == Verdict::kPass ? 32 : verdict == Verdict::kFail ? 31 : 33;
  return colour ? fmt::format("\x1b[1;{}m{}\x1b[0m", code, word) : std::string(word);
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string looks_table(const Answer& answer) {
  std::vector<std::vector<std::string>> rows{
      {"LOOK", "S", "V", "Z", "BOUNDARY", "LOG M", "P", "ALPHA SPENT", "VERDICT"}};
  for (const auto& look : answer.looks)
    rows.push_back({std::to_string(look.look), number(look.s), number(look.v), number(look.z),
                    number(look.boundary), number(look.log_m), number(look.p),
                    number(look.alpha_spent), std::string(to_string(look.verdict))});
  return "\n" + align(rows);
}

Result<> add_points(json::Object& asked, std::string_view side, const std::string& path) {
  auto text = path == "-" ? file::read_stdin() : file::read(path);
  if (!text) return std::unexpected(std::move(text).error());
  auto numbers = read_numbers(*text);
  if (!numbers) {
    auto error = std::move(numbers).error();
    error.where = error.where.empty() ? path : fmt::format("{}: {}", path, error.where);
    return std::unexpected(std::move(error));
  }
  asked[side] = std::move(*numbers);
  return {};
}

// What was typed wrong is the usage's fault; what a file holds is not.
int code_of(const Error& error) {
  const auto& where = error.where;
  const bool typed = where == "method" || where == "direction" || where.starts_with("options") ||
                     where.starts_with("--");
  return typed ? kExitUsage : kExitCannotAsk;
}

Result<Answer> judge_files(const JudgeOptions& options) {
  json::Object asked;
  if (options.control.empty() || options.experiment.empty())
    return fail(ErrorCode::kInvalid, "name both files, or give cases with --batch",
                "--control, --experiment");
  if (options.control == "-" && options.experiment == "-")
    return fail(ErrorCode::kInvalid, "only one side can be standard input",
                "--control, --experiment");
  SLIPWAY_TRY(add_points(asked, "control", options.control));
  SLIPWAY_TRY(add_points(asked, "experiment", options.experiment));
  if (!options.method.empty()) asked["method"] = options.method;
  if (!options.direction.empty()) asked["direction"] = options.direction;
  json::Object given;
  for (const auto& option : options.options) SLIPWAY_TRY(add_option(given, option));
  asked["options"] = std::move(given);
  return judge_case(asked);
}

}  // namespace

std::string describe(const Answer& answer, bool colour) {
  const auto& effect = answer.effect;
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string name, std::string text) {
    rows.push_back({std::move(name), std::move(text)});
  };
  add("method", fmt::format("{}, {}", answer.method,
                            answer.direction == judge::Direction::kEither
                                ? "either direction"
                                : fmt::format("{} only", to_string(answer.direction))));
  if (!answer.label.empty()) add("label", answer.label + (answer.critical ? " (critical)" : ""));
  add("points",
      fmt::format("{} control, {} experiment", answer.control_points, answer.experiment_points));
  if (answer.p) add("p", number(*answer.p));
  if (answer.statistic) add(answer.looks.empty() ? "U" : "statistic", number(*answer.statistic));
  if (!std::isnan(effect.ratio))
    add("ratio", fmt::format("{} ({:+.1f} %)", number(effect.ratio), 100 * (effect.ratio - 1)));
  if (!std::isnan(effect.shift))
    add("shift", std::isnan(effect.low) ? number(effect.shift)
                                        : fmt::format("{} ({} to {})", number(effect.shift),
                                                      number(effect.low), number(effect.high)));
  if (!std::isnan(effect.cles))
    add("higher", fmt::format("{:.0f} % of pairs (50 % when nothing differs)", 100 * effect.cles));
  std::string text =
      fmt::format("{}  {}\n\n{}", coloured(answer.verdict, colour), answer.reason, align(rows));
  if (!answer.looks.empty()) text += looks_table(answer);
  return text;
}

int judge(const JudgeOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  if (!options.batch.empty())
    return run_batch(options.batch, [](const json::Object& asked) -> Result<json::Object> {
      auto answer = judge_case(asked);
      if (!answer) return std::unexpected(std::move(answer).error());
      return to_json(*answer);
    });
  const bool structured = *format == Format::kJson || *format == Format::kYaml;
  const auto answer = judge_files(options);
  if (!answer) {
    if (structured) print_value(error_object(answer.error()), *format);
    return complain(answer.error()), code_of(answer.error());
  }
  if (structured)
    print_value(to_json(*answer), *format);
  else
    print(describe(*answer, colours()));
  return exit_code(answer->verdict);
}

}  // namespace slipway::cli
