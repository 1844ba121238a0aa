#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace slipway::cli {

// A kind as the server serves it.
struct ServedKind {
  std::string group;
  std::string version;
  std::string plural;
  std::string singular;
  std::string kind;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  bool namespaced = true;

  // "rollouts.argoproj.io", "configmaps"
  std::string full_name() const { return group.empty() ? plural : plural + "." + group; }
  // "rollout.argoproj.io/web", as apply and delete name objects
  std::string object_name(std::string_view name) const;
  std::string api_version() const { return group.empty() ? version : group + "/" + version; }
  // /apis/argoproj.io/v1alpha1/namespaces/shop/rollouts; an empty `ns` means all namespaces
  std::string path(std::string_view ns) const;
  // …/rollouts/web. Without a name it ends in a slash, which no connection sends.
  std::string path(std::string_view ns, std::string_view name) const;
};

// The kinds of an APIGroupDiscoveryList; the first version of a group is the one it prefers.
std::vector<ServedKind> read_discovery(const json::Value& document);

// By plural, singular, short name or kind, any case, with or without group and version; null when
// there is none.
const ServedKind* find_served(const std::vector<ServedKind>& kinds, std::string_view word);
// The members of a category ("all"), each in the version its group prefers.
std::vector<ServedKind> find_category(const std::vector<ServedKind>& kinds, std::string_view word);

}  // namespace slipway::cli
