#include "runtime/shim/messages.h"

#include <fmt/format.h>

#include <array>

#include "runtime/shim/fields.h"

namespace slipway::runtime {

namespace {

constexpr std::array<std::pair<Request::Kind, std::string_view>, 6> kKinds{{
    {Request::Kind::kStop, "stop"},
    {Request::Kind::kKill, "kill"},
    {Request::Kind::kExec, "exec"},
    {Request::Kind::kWatch, "watch"},
    {Request::Kind::kStarted, "started"},
    {Request::Kind::kReplace, "replace"},
}};

constexpr std::array kCodes{ErrorCode::kInvalid, ErrorCode::kNotFound, ErrorCode::kUnavailable,
                            ErrorCode::kTooManyRequests};

}  // namespace

std::string write_request(const Request& request) {
  std::string_view word;
  for (const auto& [kind, name] : kKinds)
    if (kind == request.kind) word = name;
  return json::write(json::Object{{"do", word},
                                  {"container", request.container},
                                  {"argv", strings_value(request.argv)},
                                  {"time", request.time.count()},
                                  {"message", request.message},
                                  {"run", request.run}}) +
         "\n";
}

Result<Request> parse_request(std::string_view line) {
  auto value = json::read(line);
  if (!value) return std::unexpected(value.error());
  Request request;
  Fields fields(*value, "");
  std::string word;
  fields.read("do", word);
  fields.read("container", request.container);
  fields.read("argv", request.argv);
  fields.read("time", request.time);
  fields.read("message", request.message);
  fields.read("run", request.run);
  SLIPWAY_TRY(fields.result());
  for (const auto& [kind, name] : kKinds) {
    if (name != word) continue;
    request.kind = kind;
    return request;
  }
  return fail(
      ErrorCode::kInvalid,
      fmt::format("\"{}\" is not a request; write stop, kill, exec, watch, started or replace",
                  word),
      "do");
}

std::string write_answer(const Result<json::Value>& answer) {
  if (answer) return json::write(json::Object{{"ok", *answer}}) + "\n";
  return json::write(json::Object{{"error", json::Object{{"code", to_string(answer.error().code)},
                                                         {"message", answer.error().text()}}}}) +
         "\n";
}

Result<json::Value> parse_answer(std::string_view line) {
  auto value = json::read(line);
  if (!value) return std::unexpected(value.error());
  if (const auto* ok = json::at(*value, {"ok"})) return *ok;
  const auto word = json::string_at(*value, {"error", "code"});
  ErrorCode code = ErrorCode::kInternal;
  for (const auto known : kCodes)
    if (to_string(known) == word) code = known;
  return fail(code, std::string(json::string_at(*value, {"error", "message"})));
}

json::Value to_json(const ExecAnswer& answer) {
  return json::Object{
      {"exitCode", answer.exit_code}, {"timedOut", answer.timed_out}, {"output", answer.output}};
}

Result<ExecAnswer> parse_exec_answer(const json::Value& value) {
  ExecAnswer answer;
  Fields fields(value, "");
  fields.read("exitCode", answer.exit_code);
  fields.read("timedOut", answer.timed_out);
  fields.read("output", answer.output);
  SLIPWAY_TRY(fields.result());
  return answer;
}

}  // namespace slipway::runtime
