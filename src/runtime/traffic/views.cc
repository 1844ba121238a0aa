#include "runtime/traffic/views.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/members.h"
#include "base/text.h"
#include "runtime/services/endpoint_slices.h"
#include "runtime/traffic/words.h"
#include "store/key_of.h"

namespace slipway::runtime::traffic {

namespace {

constexpr std::string_view kGroup = "gateway.networking.k8s.io";

std::string text_or(const json::Object& object, std::string_view key, std::string_view otherwise) {
  const json::Value* found = object.if_contains(key);
  return found && found->is_string() ? std::string(found->get_string()) : std::string(otherwise);
}

void each(const json::Object& object, std::string_view key, auto&& visit) {
  const json::Array* list = api::array_in(object, key);
  if (!list) return;
  std::size_t index = 0;
  for (const json::Value& item : *list) {
    if (item.is_object()) visit(item.get_object(), index);
    ++index;
  }
}

std::optional<std::int32_t> port_in(const json::Object& object) {
  return api::number_in<std::int32_t>(object, "port");
}

GatewayListenerView view_listener(const json::Object& given) {
  GatewayListenerView view{.name = text_or(given, "name", ""),
                           .host = text::lower(api::text_in(given, "hostname")),
                           .port = port_in(given).value_or(0),
                           .protocol = text_or(given, "protocol", "")};
  const json::Object* allowed = api::object_in(given, "allowedRoutes");
  if (!allowed) return view;
  if (const json::Object* from = api::object_in(*allowed, "namespaces")) {
    const std::string_view which = api::text_in(*from, "from");
    using From = GatewayListenerView::From;
    view.from = which == "All" ? From::kAll : which == "Selector" ? From::kSelector : From::kSame;
    const json::Value* selector = from->if_contains("selector");
    auto read = api::read_label_selector(selector ? *selector : json::Value(nullptr));
    view.namespaces = read ? std::move(*read) : api::LabelSelector{.nothing = true};
  }
  if (const json::Array* kinds = api::array_in(*allowed, "kinds"); kinds && !kinds->empty())
    view.http_routes = std::ranges::any_of(*kinds, [](const json::Value& kind) {
      return kind.is_object() && api::text_in(kind.get_object(), "kind") == "HTTPRoute";
    });
  return view;
}

TextMatch view_text_match(const json::Object& given, std::string_view what,
                          const std::string& place, std::string& unsupported) {
  TextMatch match{.name = text_or(given, "name", ""),
                  .regex = api::text_in(given, "type") == "RegularExpression",
                  .value = text_or(given, "value", "")};
  if (!is_plain_name(match.name))
    unsupported = fmt::format(
        "{}.name: the proxy cannot look for the {} \"{}\"; use letters, "
        "digits, '-', '_' and '.'",
        place, what, match.name);
  else if (!is_one_line(match.value))
    unsupported = place + ".value: control characters cannot be matched";
  return match;
}

Match view_match(const json::Object& given, const std::string& place, std::string& unsupported) {
  Match match{.method = text_or(given, "method", "")};
  if (const json::Object* path = api::object_in(given, "path")) {
    const std::string_view type = api::text_in(*path, "type");
    match.path_kind = type == "Exact"               ? Match::Path::kExact
                      : type == "RegularExpression" ? Match::Path::kRegex
                                                    : Match::Path::kPrefix;
    match.path = text_or(*path, "value", "/");
    if (!is_one_line(match.path)) unsupported = place + ".path: control characters";
  }
  // "/a/" and "/a" are the same prefix.
  if (match.path_kind == Match::Path::kPrefix)
    while (match.path.size() > 1 && match.path.ends_with('/')) match.path.pop_back();
  each(given, "headers", [&](const json::Object& header, std::size_t i) {
    match.headers.push_back(
        view_text_match(header, "header", fmt::format("{}.headers[{}]", place, i), unsupported));
  });
  each(given, "queryParams", [&](const json::Object& parameter, std::size_t i) {
    match.parameters.push_back(view_text_match(
        parameter, "parameter", fmt::format("{}.queryParams[{}]", place, i), unsupported));
  });
  return match;
}

ReferenceView view_reference(const json::Object& given, const std::string& ns,
                             const std::string& place, std::string& unsupported) {
  return {.group = text_or(given, "group", ""),
          .kind = text_or(given, "kind", "Service"),
          .ns = text_or(given, "namespace", ns),
          .name = text_or(given, "name", ""),
          .port = port_in(given),
          .weight = api::number_in<std::int64_t>(given, "weight").value_or(1),
          .filters = view_filters(given, place, unsupported)};
}

Duration patience_of(const json::Object& rule) {
  const json::Object* timeouts = api::object_in(rule, "timeouts");
  if (!timeouts) return {};
  Duration shortest{};
  for (const std::string_view key : {"backendRequest", "request"}) {
    const auto read = parse_duration(api::text_in(*timeouts, key));
    if (read && *read > Duration::zero() && (shortest == Duration::zero() || *read < shortest))
      shortest = *read;
  }
  return shortest;
}

RuleView view_rule(const json::Object& given, const std::string& ns, const std::string& place,
                   std::string& unsupported) {
  RuleView rule{.filters = view_filters(given, place, unsupported), .patience = patience_of(given)};
  each(given, "matches", [&](const json::Object& match, std::size_t i) {
    rule.matches.push_back(view_match(match, fmt::format("{}.matches[{}]", place, i), unsupported));
  });
  if (rule.matches.empty()) rule.matches.emplace_back();
  each(given, "backendRefs", [&](const json::Object& reference, std::size_t i) {
    rule.references.push_back(
        view_reference(reference, ns, fmt::format("{}.backendRefs[{}]", place, i), unsupported));
  });
  return rule;
}

ParentView view_parent(const json::Object& given, const std::string& ns) {
  return {.group = text_or(given, "group", kGroup),
          .kind = text_or(given, "kind", "Gateway"),
          .ns = text_or(given, "namespace", ns),
          .name = text_or(given, "name", ""),
          .section = text_or(given, "sectionName", ""),
          .port = port_in(given),
          .reference = given};
}

}  // namespace

SliceView view_slice(const json::Object& slice) {
  SliceView view{.service = {std::string(api::namespace_of(slice)), ""}};
  for (const auto& [key, value] : api::labels_of(slice))
    if (key == kServiceNameLabel) view.service.name = value;
  if (api::is_deleting(slice) || api::text_in(slice, "addressType") != "IPv4") return view;
  each(slice, "ports", [&](const json::Object& port, std::size_t) {
    const std::string protocol = text_or(port, "protocol", "TCP");
    if (protocol == "TCP") view.ports[text_or(port, "name", "")] = port_in(port).value_or(0);
  });
  each(slice, "endpoints", [&](const json::Object& endpoint, std::size_t) {
    const json::Object* conditions = api::object_in(endpoint, "conditions");
    const json::Value* ready = conditions ? conditions->if_contains("ready") : nullptr;
    if (ready && ready->is_bool() && !ready->get_bool()) return;
    for (std::string& address : api::texts_in(endpoint, "addresses"))
      view.ready.push_back(std::move(address));
  });
  return view;
}

GatewayView view_gateway(const json::Object& gateway) {
  GatewayView view{.key = store::key_of(gateway),
                   .uid = std::string(api::uid_of(gateway)),
                   .deleting = api::is_deleting(gateway)};
  if (const json::Object* spec = api::object_in(gateway, "spec"))
    each(*spec, "listeners", [&](const json::Object& listener, std::size_t) {
      view.listeners.push_back(view_listener(listener));
    });
  if (const json::Object* status = api::object_in(gateway, "status"))
    each(*status, "addresses", [&](const json::Object& address, std::size_t) {
      if (view.address.empty()) view.address = text_or(address, "value", "");
    });
  return view;
}

RouteVersion version_of_route(const json::Object& route) {
  return {.uid = std::string(api::uid_of(route)), .generation = api::generation_of(route)};
}

RouteView view_route(const json::Object& route) {
  RouteView view{.key = store::key_of(route),
                 .version = version_of_route(route),
                 .deleting = api::is_deleting(route)};
  if (const json::Object* metadata = api::metadata_of(route))
    view.created = api::text_in(*metadata, "creationTimestamp");
  const json::Object* spec = api::object_in(route, "spec");
  if (!spec) return view;
  for (const std::string& host : api::texts_in(*spec, "hostnames"))
    view.hosts.push_back(text::lower(host));
  each(*spec, "parentRefs", [&](const json::Object& parent, std::size_t) {
    view.parents.push_back(view_parent(parent, view.key.ns));
  });
  each(*spec, "rules", [&](const json::Object& rule, std::size_t i) {
    view.rules.push_back(
        view_rule(rule, view.key.ns, fmt::format("spec.rules[{}]", i), view.unsupported));
  });
  return view;
}

}  // namespace slipway::runtime::traffic
