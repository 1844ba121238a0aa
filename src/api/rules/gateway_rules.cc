#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"

// The essential rules of Gateways and HTTPRoutes that upstream's CRDs write in CEL. Kubernetes
// shows the type of the value such a rule refused, not the value.
namespace slipway::api {

namespace {

void refuse(const Place& place, std::string message, Findings& findings) {
  findings.invalid(place.path(), json::Value(type_word(place.value())), std::move(message));
}

void check_path_value(const Place& path, Findings& findings) {
  const std::string_view type = path["type"].text();
  const std::string_view value = path["value"].text();
  if (type != "Exact" && type != "PathPrefix") return;
  constexpr std::string_view kWhen = "when type one of ['Exact', 'PathPrefix']";
  if (!value.starts_with('/'))
    refuse(path, fmt::format("value must be an absolute path and start with '/' {}", kWhen),
           findings);
  for (const std::string_view bad : {"//", "/./", "/../", "%2f", "%2F", "#"})
    if (value.find(bad) != std::string_view::npos)
      refuse(path, fmt::format("must not contain '{}' {}", bad, kWhen), findings);
  for (const std::string_view bad : {"/..", "/."})
    if (value.ends_with(bad))
      refuse(path, fmt::format("must not end with '{}' {}", bad, kWhen), findings);
}

struct FilterType {
  std::string_view type, field;
};
constexpr std::array kFilters = {
    FilterType{"RequestHeaderModifier", "requestHeaderModifier"},
    FilterType{"ResponseHeaderModifier", "responseHeaderModifier"},
    FilterType{"RequestMirror", "requestMirror"},
    FilterType{"RequestRedirect", "requestRedirect"},
    FilterType{"URLRewrite", "urlRewrite"},
    FilterType{"ExtensionRef", "extensionRef"},
};

void check_filters(const Place& filters, Findings& findings) {
  std::map<std::string, int, std::less<>> seen;
  for (const Place& filter : filters.items()) {
    const std::string_view type = filter["type"].text();
    ++seen[std::string(type)];
    for (const FilterType& known : kFilters) {
      const bool given = filter[known.field].present();
      if (given && type != known.type)
        refuse(filter,
               fmt::format("filter.{} must be nil if the filter.type is not {}", known.field,
                           known.type),
               findings);
      if (!given && type == known.type)
        refuse(
            filter,
            fmt::format("filter.{} must be specified for {} filter.type", known.field, known.type),
            findings);
    }
  }
  if (seen["RequestRedirect"] > 0 && seen["URLRewrite"] > 0)
    refuse(filters,
           "May specify either httpRouteFilterRequestRedirect or httpRouteFilterRequestRewrite, "
           "but not both",
           findings);
  for (const std::string_view once :
       {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "URLRewrite"})
    if (seen[std::string(once)] > 1)
      refuse(filters, fmt::format("{} filter cannot be repeated", once), findings);
}

void check_backend_refs(const Place& rule, Findings& findings) {
  const Place backends = rule["backendRefs"];
  for (const Place& backend : backends.items()) {
    const bool service = backend["group"].empty() &&
                         (backend["kind"].empty() || backend["kind"].text() == "Service");
    if (service && !backend["port"].present())
      refuse(backend, "Must have port for Service reference", findings);
    check_filters(backend["filters"], findings);
  }
  const std::vector<Place> filters = rule["filters"].items();
  const bool redirects = std::ranges::any_of(
      filters, [](const Place& filter) { return filter["requestRedirect"].present(); });
  if (backends.size() > 0 && redirects)
    refuse(rule, "RequestRedirect filter must not be used together with backendRefs", findings);
}

void check_http_route(const json::Object& route, const json::Object*, Findings& findings) {
  for (const Place& rule : Place::of(route, "spec")["rules"].items()) {
    for (const Place& match : rule["matches"].items()) check_path_value(match["path"], findings);
    check_filters(rule["filters"], findings);
    check_backend_refs(rule, findings);
  }
}

// True when every listener has a key of its own.
bool unique(const Place& listeners, std::string (*key)(const Place& listener)) {
  std::vector<std::string> keys;
  for (const Place& listener : listeners.items()) keys.push_back(key(listener));
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) == keys.end();
}

void check_gateway(const json::Object& gateway, const json::Object*, Findings& findings) {
  const Place listeners = Place::of(gateway, "spec")["listeners"];
  const std::vector<Place> all = listeners.items();
  const auto any = [&](auto&& wrong) { return std::ranges::any_of(all, wrong); };
  const auto plain = [](const Place& l) {
    return l["protocol"].text() == "TCP" || l["protocol"].text() == "UDP";
  };
  if (any([&](const Place& l) {
        return (plain(l) || l["protocol"].text() == "HTTP") && l["tls"].present();
      }))
    refuse(listeners, "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']", findings);
  if (any([](const Place& l) {
        return l["protocol"].text() == "HTTPS" && l["tls"]["mode"].text() == "Passthrough";
      }))
    refuse(listeners, "tls mode must be Terminate for protocol HTTPS", findings);
  if (any([&](const Place& l) { return plain(l) && !l["hostname"].empty(); }))
    refuse(listeners, "hostname must not be specified for protocols ['TCP', 'UDP']", findings);
  if (!unique(listeners, [](const Place& l) { return std::string(l["name"].text()); }))
    refuse(listeners, "Listener name must be unique within the Gateway", findings);
  if (!unique(listeners, [](const Place& l) {
        return fmt::format("{}/{}/{}", l["port"].integer(), l["protocol"].text(),
                           l["hostname"].text());
      }))
    refuse(listeners, "Combination of port, protocol and hostname must be unique for each listener",
           findings);
}

}  // namespace

KindRules gateway_rules() { return {.validate = check_gateway}; }
KindRules http_route_rules() { return {.validate = check_http_route}; }

}  // namespace slipway::api
