#include <algorithm>
#include <tuple>

#include "runtime/traffic/resolve.h"

namespace slipway::runtime::traffic {

namespace {

// Exact hosts, then wildcards by their length, then any.
std::pair<int, std::size_t> host_rank(const std::string& host) {
  if (host.empty()) return {0, 0};
  return {host.starts_with("*.") ? 1 : 2, host.size()};
}

int path_rank(Match::Path kind) {
  switch (kind) {
    case Match::Path::kExact:
      return 2;
    case Match::Path::kRegex:
      return 1;
    case Match::Path::kPrefix:
      return 0;
  }
  return 0;
}

bool is_below(std::string_view host, std::string_view wildcard) {
  return host.size() > wildcard.size() - 1 && host.ends_with(wildcard.substr(1));
}

}  // namespace

bool comes_before(const Ranked& a, const Ranked& b) {
  const auto rank = [](const Ranked& r) {
    return std::tuple(host_rank(r.match.host), path_rank(r.match.path_kind), r.match.path.size(),
                      !r.match.method.empty(), r.match.headers.size(), r.match.parameters.size());
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  return std::tie(a.created, a.route, a.rule, a.index) <
         std::tie(b.created, b.route, b.rule, b.index);
}

std::optional<std::string> common_host(const std::string& listener, const std::string& route) {
  if (listener.empty() || listener == route) return route;
  if (route.empty()) return listener;
  const bool wide_listener = listener.starts_with("*."), wide_route = route.starts_with("*.");
  if (wide_listener && is_below(route, listener)) return route;
  if (wide_route && is_below(listener, route)) return listener;
  return std::nullopt;
}

}  // namespace slipway::runtime::traffic
