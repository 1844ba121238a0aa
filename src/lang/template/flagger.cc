#include "lang/template/flagger.h"

#include <fmt/format.h>

#include <utility>

#include "lang/template/scalars.h"
#include "lang/template/template.h"

namespace slipway::lang {
namespace {

Error prefixed(std::string_view prefix, Error error) {
  error.message = fmt::format("{}: {}", prefix, error.message);
  return error;
}

}  // namespace

Result<std::string> render_flagger(std::string_view text, const json::Object& data) {
  constexpr std::string_view kNames[] = {"name",    "namespace", "target",  "service",
                                         "ingress", "route",     "interval"};
  json::Object texts;
  for (const auto name : kNames) {
    const json::Value* given = data.if_contains(name);
    const bool from_target = name == "service" || name == "ingress" || name == "route";
    auto value = given != nullptr ? scalar_text(*given, std::string(name))
                 : from_target    ? std::string(texts.at("target").as_string())
                                  : std::string();
    if (!value) return std::unexpected(std::move(value).error());
    texts[name] = *value;
  }
  auto variables = scalar_texts(data, "variables");
  if (!variables) return std::unexpected(std::move(variables).error());

  go::Functions functions;
  for (const auto& [name, value] : texts)
    functions[std::string(name)] = go::constant_function(go::Value::of(value, false));
  functions["variables"] = go::constant_function(
      go::Value(go::Map{.entries = &*variables, .strings = true, .ints = false}));
  auto parsed =
      Template::parse(std::string(text), {.missing_key = MissingKey::kError}, std::move(functions));
  if (!parsed) return fail(prefixed("template parsing failed", std::move(parsed).error()));
  auto rendered = parsed->execute(go::Value());
  if (!rendered) return fail(prefixed("template execution failed", std::move(rendered).error()));
  return rendered;
}

}  // namespace slipway::lang
