#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::cli {

struct ServeOptions {
  std::string data = {};  // empty: default_data_dir()
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;            // 0: any free one; the ready line names it
  std::vector<std::string> hosts = {};  // more names and addresses clients may call us by
  bool memory = false;                  // keep nothing: for trials
  std::string images = {};              // empty: images.yaml of the data folder
  bool no_workloads = false;            // keep Pods and workloads as objects, run nothing
  // For a cluster, which keeps the objects, instead of the embedded store:
  std::string kubeconfig = {};
  std::string context = {};
  bool in_cluster = false;           // by the service account of the Pod we run in
  std::string lease_namespace = {};  // empty: the kubeconfig's, or the service account's

  std::string log_level = "info";  // debug, info, warning, error

  bool for_cluster() const { return in_cluster || !kubeconfig.empty(); }
};

// Serves until SIGTERM or SIGINT, then finishes writes, stops, and returns the exit code. Prints
// `ready https://…` on stderr once it answers.
int serve(const ServeOptions& options);

}  // namespace slipway::cli
