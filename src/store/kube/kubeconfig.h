#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/client.h"

namespace slipway::store::kube {

// A program that prints credentials (client.authentication.k8s.io ExecCredential).
struct ExecPlugin {
  std::string api_version;
  std::string command;  // a path, or a name to look for in PATH
  std::vector<std::string> args = {};
  std::map<std::string, std::string> env = {};
  std::string install_hint = {};
  bool provide_cluster_info = false;
  std::string cluster_config = {};  // JSON the cluster's entry holds for plugins
};

// How to reach an API server and who we are there.
struct Access {
  std::string server;  // https://host:port[/prefix]
  http::Tls tls = {};
  std::string token = {};
  std::string token_file = {};  // read again now and then: service account tokens rotate
  std::string username = {};
  std::string password = {};
  std::optional<ExecPlugin> exec = {};
  http::Headers impersonate = {};  // Impersonate-User and its like, sent with every request
  std::string ns = "default";
};

// One context of a kubeconfig; the current one when `context` is empty. File references are
// relative to `folder`. Errors name the field: kInvalid, kNotFound (context, cluster or user
// missing, file unreadable).
Result<Access> read_kubeconfig(std::string_view text, std::string_view context,
                               const std::string& folder);
Result<Access> load_kubeconfig(const std::string& path, std::string_view context = {});

// Several files as one, as kubectl reads $KUBECONFIG: of entries with one name, and of current
// contexts, the first counts. Files that do not exist are passed over; kNotFound when none does.
Result<Access> load_kubeconfigs(const std::vector<std::string>& paths,
                                std::string_view context = {});
// $KUBECONFIG split at its colons, empty parts left out.
std::vector<std::string> split_kubeconfig_paths(std::string_view paths);

// The service account of the Pod we run in. kNotFound outside of one.
inline constexpr std::string_view kServiceAccountFolder =
    "/var/run/secrets/kubernetes.io/serviceaccount";
Result<Access> in_cluster_access(std::string_view folder = kServiceAccountFolder);

}  // namespace slipway::store::kube
