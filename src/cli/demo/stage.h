#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "cli/demo/scene.h"
#include "cli/session.h"

namespace slipway::cli {

// What the demo plays on: a server and a Prometheus, each a process of its own, in one folder. They
// are ended by whoever supervises the demo.
class Stage {
 public:
  static constexpr Duration kServerPatience = std::chrono::seconds(30);
  static constexpr Duration kPrometheusPatience = std::chrono::seconds(30);

  explicit Stage(std::string folder) : folder_(std::move(folder)) {}

  // Starts both and returns when the server answers. Blocking. Errors say what is missing, or what
  // the program said.
  Result<> raise();
  // Brings the manifests in, and says so. Blocking.
  Result<> apply_manifests();
  // After raise().
  Task<Result<>> wait_for_prometheus();
  Session& session() { return *session_; }

  const std::string& prometheus_url() const { return places_.prometheus; }
  const std::string& server_url() const { return places_.server; }
  std::string kubeconfig() const { return data() + "/kubeconfig"; }
  const std::string& folder() const { return folder_; }

 private:
  std::string data() const { return folder_ + "/data"; }
  Result<> find_places();
  Result<> start_server();
  Result<> start_prometheus();
  Error died(std::string_view what, const std::string& log) const;

  std::string folder_;
  std::string prometheus_program_ = {};
  std::string prometheus_address_ = {};  // host:port
  ScenePlaces places_ = {};
  pid_t server_ = 0, prometheus_ = 0;
  std::unique_ptr<Session> session_;
};

}  // namespace slipway::cli
