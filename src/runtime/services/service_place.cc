#include "runtime/services/service_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "base/text.h"
#include "runtime/services/service_view.h"
#include "runtime/traffic/status.h"

namespace slipway::runtime {

namespace {

const std::vector<std::string> kSuffix{"svc", "cluster", "local"};

}  // namespace

std::optional<store::Key> service_named(std::string_view host, std::string_view ns) {
  if (host.ends_with('.')) host.remove_suffix(1);  // the root, as name servers write it
  const std::vector<std::string> labels = text::split(text::lower(host), '.');
  const std::size_t more = labels.size() > 2 ? labels.size() - 2 : 0;
  // "svc.cluster" is written nowhere.
  if (more > kSuffix.size() || more == 2 ||
      !std::equal(labels.begin() + static_cast<std::ptrdiff_t>(labels.size() - more), labels.end(),
                  kSuffix.begin()))
    return std::nullopt;
  store::Key key{labels.size() > 1 ? labels[1] : std::string(ns), labels[0]};
  if (key.ns.empty() || key.name.empty()) return std::nullopt;
  return key;
}

std::string place_of(const json::Object& service, std::int32_t port) {
  const ServiceView view = view_service(service);
  if (view.cluster_ip.empty() || view.is_headless() || view.is_external()) return {};
  const std::string shifted = fmt::format("{}=", port);
  for (const std::string& one : text::split(api::annotation_of(service, traffic::kListensAt), ','))
    if (one.starts_with(shifted))
      return fmt::format("{}:{}", view.cluster_ip, one.substr(shifted.size()));
  return fmt::format("{}:{}", view.cluster_ip, port);
}

}  // namespace slipway::runtime
