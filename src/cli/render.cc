#include "cli/render.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "async/real_loop.h"
#include "base/json.h"
#include "cli/batch.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/pipecd_templates.h"
#include "cli/render_files.h"
#include "lang/args/args.h"
#include "lang/template/flagger.h"
#include "lang/template/no_value.h"
#include "lang/template/pipecd.h"
#include "lang/template/template.h"

namespace slipway::cli {

namespace {

struct Case {
  std::string_view text;
  std::string_view engine;
  const json::Value& data;
  bool ints = false;
};

Result<std::string> render_pipecd(std::string_view text, const json::Object& data) {
  auto arguments = lang::read_pipecd_arguments(data);
  if (!arguments) return std::unexpected(std::move(arguments).error());
  return lang::render_pipecd(text, *arguments);
}

Result<std::string> render_argo(std::string_view text, const json::Object& data) {
  auto tags = lang::read_tags(data);
  if (!tags) return std::unexpected(std::move(tags).error());
  return lang::substitute(text, *tags);
}

Result<std::string> rendered(const Case& asked) {
  if (asked.engine == "go") return lang::render_go(asked.text, asked.data, {.ints = asked.ints});
  if (asked.engine != "flagger" && asked.engine != "pipecd" && asked.engine != "argo")
    return fail(ErrorCode::kBadRequest,
                fmt::format("\"{}\" is no engine; write go, flagger, pipecd or argo", asked.engine),
                "engine");
  if (!asked.data.is_object())
    return fail(ErrorCode::kBadRequest, "is no object; write {\"name\": …}", "data");
  const json::Object& data = asked.data.get_object();
  if (asked.engine == "flagger") return lang::render_flagger(asked.text, data);
  return asked.engine == "pipecd" ? render_pipecd(asked.text, data) : render_argo(asked.text, data);
}

Result<std::string_view> text_of(const json::Object& line, std::string_view key,
                                 std::optional<std::string_view> otherwise) {
  const json::Value* held = line.if_contains(key);
  if (held != nullptr && held->is_string()) return std::string_view(held->get_string());
  if (held == nullptr && otherwise) return *otherwise;
  return fail(ErrorCode::kBadRequest,
              held == nullptr ? "is missing; write a text" : "is no text; write it in quotes",
              std::string(key));
}

Result<json::Object> answer(const json::Object& line) {
  auto text = text_of(line, "text", std::nullopt);
  if (!text) return std::unexpected(std::move(text).error());
  auto engine = text_of(line, "engine", "go");
  if (!engine) return std::unexpected(std::move(engine).error());
  static const json::Value kNothing = json::Object();
  const json::Value* data = line.if_contains("data");
  const json::Value* ints = line.if_contains("ints");
  auto out = rendered({.text = *text,
                       .engine = *engine,
                       .data = data != nullptr ? *data : kNothing,
                       .ints = ints != nullptr && ints->is_bool() && ints->get_bool()});
  if (!out) return std::unexpected(std::move(out).error());
  return json::Object{{"text", std::move(*out)}};
}

Result<std::string> render_one(const RenderOptions& options) {
  auto data = json::read(options.data, {.allow_nan = true});
  if (!data) {
    data.error().where = "--data";
    return std::unexpected(std::move(data).error());
  }
  return rendered(
      {.text = options.text, .engine = options.engine, .data = *data, .ints = options.ints});
}

Result<std::vector<FileQuery>> render_all(const RenderOptions& options) {
  auto args = parse_args(options.args);
  if (!args) return std::unexpected(std::move(args).error());
  auto manifests = read_manifests(options.files);
  if (!manifests) return std::unexpected(std::move(manifests).error());
  SLIPWAY_TRY(add_pipecd_templates(*manifests));
  PlanOptions wanted{
      .args = std::move(*args), .asks_nobody = true, .now = make_loop()->clock().now()};
  if (!options.variant.empty()) wanted.variant = options.variant;
  return render_files(*manifests, wanted);
}

json::Object to_json(const std::vector<FileQuery>& queries) {
  json::Array all;
  for (const auto& query : queries)
    all.push_back(json::Object{{"file", query.file},
                               {"line", query.line},
                               {"metric", query.metric},
                               {"name", query.name},
                               {"provider", query.provider},
                               {"text", query.text}});
  return {{"queries", std::move(all)}};
}

int print_files(const RenderOptions& options, Format format) {
  const auto queries = render_all(options);
  const bool structured = format == Format::kJson || format == Format::kYaml;
  if (!queries) {
    if (structured) print_value(error_object(queries.error()), format);
    complain(queries.error());
    return queries.error().where == "--arg" ? kExitUsage : kExitCannotAsk;
  }
  for (const auto& query : *queries)
    if (const std::string doubt = lang::no_value_doubt(query.text); !doubt.empty())
      note(fmt::format("slipway: {}:{}: {}: warning: {} {}", query.file, query.line, query.metric,
                       query.name, doubt));
  if (structured) return print_value(to_json(*queries), format), kExitDone;
  for (const auto& query : *queries)
    print(fmt::format("# {}:{}: {} ({}{}{})\n{}\n", query.file, query.line, query.metric,
                      query.provider, query.provider.empty() ? "" : ", ", query.name, query.text));
  return kExitDone;
}

}  // namespace

int render(const RenderOptions& options) {
  if (!options.batch.empty()) return run_batch(options.batch, answer);
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  if (!options.files.empty()) return print_files(options, *format);
  if (options.text.empty()) {
    note(
        "slipway: say what to render: -f FILE, --text T or --batch FILE; for example: slipway "
        "render -f analysis.yaml --arg service=web");
    return kExitUsage;
  }
  auto out = render_one(options);
  if (*format == Format::kJson || *format == Format::kYaml) {
    print_value(out ? json::Object{{"text", *out}} : error_object(out.error()), *format);
    return out ? kExitDone : kExitCannotAsk;
  }
  if (!out) return complain(out.error()), kExitCannotAsk;
  print_line(*out);
  return kExitDone;
}

}  // namespace slipway::cli
