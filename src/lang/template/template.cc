#include "lang/template/template.h"

#include <fmt/format.h>

#include <utility>

#include "lang/template/execute.h"
#include "lang/template/failure.h"
#include "lang/template/parser.h"

namespace slipway::lang {

struct Template::Parsed {
  std::string text;
  TemplateOptions options;
  go::Functions functions;
  go::Trees trees = {};
};

Template::Template(std::unique_ptr<Parsed> parsed) : parsed_(std::move(parsed)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Result<Template> Template::parse(std::string text, TemplateOptions options,
                                 go::Functions functions) {
  if (text.size() > options.limits.max_source)
    return fail(ErrorCode::kTooLarge, fmt::format("the template has {} bytes; at most {} are read",
                                                  text.size(), options.limits.max_source));
  auto parsed = std::make_unique<Parsed>(Parsed{
      .text = std::move(text), .options = std::move(options), .functions = std::move(functions)});
  const auto has_function = [&](std::string_view name) {
    return parsed->functions.contains(name) || go::builtin_functions().contains(name);
  };
  try {
    parsed->trees = go::parse_trees(parsed->options.name, parsed->text, has_function);
  } catch (const go::Failure& failure) {
    return fail(ErrorCode::kInvalid, failure.message);
  } catch (const go::LimitReached& limit) {
    return fail(ErrorCode::kTooLarge, limit.message);
  }
  return Template(std::move(parsed));
}

Result<std::string> Template::execute(const go::Value& dot) const {
  try {
    return go::Executor({.text = parsed_->text,
                         .options = parsed_->options,
                         .functions = parsed_->functions,
                         .trees = parsed_->trees})
        .run(dot);
  } catch (const go::Failure& failure) {
    return fail(ErrorCode::kInvalid, failure.message);
  } catch (const go::LimitReached& limit) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("template: {}: {}", parsed_->options.name, limit.message));
  }
}

Result<std::string> Template::execute(const json::Value& dot) const {
  return execute(go::Value::of(dot, parsed_->options.ints));
}

Result<std::string> render_go(std::string_view text, const json::Value& dot,
                              TemplateOptions options) {
  auto parsed = Template::parse(std::string(text), std::move(options));
  if (!parsed) return std::unexpected(std::move(parsed).error());
  return parsed->execute(dot);
}

}  // namespace slipway::lang
