#include <fmt/format.h>

#include <algorithm>

#include "api/rules/members.h"
#include "runtime/traffic/views.h"
#include "runtime/traffic/words.h"

namespace slipway::runtime::traffic {

namespace {

std::string text_in(const json::Object& object, std::string_view key) {
  return std::string(api::text_in(object, key));
}

std::vector<HeaderEdit> view_header_edits(const json::Object& given, const std::string& place,
                                          std::string& unsupported) {
  std::vector<HeaderEdit> edits;
  const auto read = [&](std::string_view key, HeaderEdit::Kind kind) {
    const json::Array* list = api::array_in(given, key);
    if (!list) return;
    for (const json::Value& item : *list)
      if (item.is_object())
        edits.push_back({.kind = kind,
                         .name = text_in(item.get_object(), "name"),
                         .value = text_in(item.get_object(), "value")});
  };
  read("set", HeaderEdit::Kind::kSet);
  read("add", HeaderEdit::Kind::kAdd);
  for (std::string& name : api::texts_in(given, "remove"))
    edits.push_back({.kind = HeaderEdit::Kind::kRemove, .name = std::move(name)});
  for (const HeaderEdit& edit : edits)
    if (!is_plain_name(edit.name) || !is_one_line(edit.value))
      unsupported = fmt::format("{}: the proxy cannot write the header \"{}\"", place, edit.name);
  return edits;
}

std::optional<PathEdit> view_path_edit(const json::Object& given, const std::string& place,
                                       std::string& unsupported) {
  const json::Object* path = api::object_in(given, "path");
  if (!path) return std::nullopt;
  const bool prefix = api::text_in(*path, "type") == "ReplacePrefixMatch";
  PathEdit edit{.kind = prefix ? PathEdit::Kind::kPrefix : PathEdit::Kind::kFull,
                .value = text_in(*path, prefix ? "replacePrefixMatch" : "replaceFullPath")};
  if (prefix)
    while (edit.value.ends_with('/')) edit.value.pop_back();
  else if (!edit.value.starts_with('/'))
    edit.value.insert(0, "/");
  if (!is_one_line(edit.value)) unsupported = place + ".path: control characters";
  return edit;
}

Redirect view_redirect(const json::Object& given, const std::string& place,
                       std::string& unsupported) {
  Redirect redirect{.scheme = text_in(given, "scheme"),
                    .host = text_in(given, "hostname"),
                    .port = api::number_in<std::int32_t>(given, "port"),
                    .path = view_path_edit(given, place, unsupported),
                    .code = api::number_in<std::int32_t>(given, "statusCode").value_or(302)};
  static constexpr std::int32_t kCodes[] = {301, 302, 303, 307, 308};
  if (std::ranges::find(kCodes, redirect.code) == std::end(kCodes))
    unsupported =
        fmt::format("{}.statusCode: {} is not 301, 302, 303, 307 or 308", place, redirect.code);
  if (!redirect.scheme.empty() && redirect.scheme != "http" && redirect.scheme != "https")
    unsupported = fmt::format("{}.scheme: \"{}\" is not http or https", place, redirect.scheme);
  return redirect;
}

std::string refusal(std::string_view type, const std::string& place) {
  if (type == "RequestMirror")
    return place +
           ": RequestMirror: the embedded proxy does not mirror requests; remove the filter, or "
           "run on a cluster whose gateway does";
  return fmt::format(
      "{}: filter \"{}\" is not supported by the embedded proxy; it knows "
      "RequestHeaderModifier, ResponseHeaderModifier, RequestRedirect and URLRewrite",
      place, type);
}

}  // namespace

Filters view_filters(const json::Object& owner, const std::string& place,
                     std::string& unsupported) {
  Filters filters;
  const json::Array* list = api::array_in(owner, "filters");
  if (!list) return filters;
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (!(*list)[i].is_object()) continue;
    const json::Object& given = (*list)[i].get_object();
    const std::string here = fmt::format("{}.filters[{}]", place, i);
    const std::string_view type = api::text_in(given, "type");
    if (const auto* edits = api::object_in(given, "requestHeaderModifier"))
      filters.request = view_header_edits(*edits, here, unsupported);
    else if (const auto* answers = api::object_in(given, "responseHeaderModifier"))
      filters.response = view_header_edits(*answers, here, unsupported);
    else if (const auto* redirect = api::object_in(given, "requestRedirect"))
      filters.redirect = view_redirect(*redirect, here, unsupported);
    else if (const auto* rewrite = api::object_in(given, "urlRewrite"))
      filters.rewrite = Rewrite{.host = text_in(*rewrite, "hostname"),
                                .path = view_path_edit(*rewrite, here, unsupported)};
    else
      unsupported = refusal(type, here);
  }
  return filters;
}

}  // namespace slipway::runtime::traffic
