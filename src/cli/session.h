#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/blocking.h"
#include "async/loop.h"
#include "base/json.h"
#include "store/kube/connection.h"

namespace slipway::cli {

// Flags of every command that talks to a server.
struct ServerFlags {
  std::string kubeconfig = {};
  std::string context = {};
  std::string ns = {};  // -n
};

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
  // /apis/argoproj.io/v1alpha1/namespaces/shop/rollouts[/web]; an empty `ns` means all namespaces
  std::string path(std::string_view ns, std::string_view name = {}) const;
};

// A connection to the server that flags, $KUBECONFIG or the default data folder lead to, and what
// is served there.
class Session {
 public:
  // kNotFound: no kubeconfig anywhere; the message says how to get one.
  static Result<std::unique_ptr<Session>> open(const ServerFlags& flags);
  ~Session();

  const std::string& ns() const { return ns_; }
  Loop& loop() { return *loop_; }
  store::kube::Connection& connection() { return *connection_; }

  // The decoded body; an answer of 400 and above is an error.
  Task<Result<json::Value>> send(store::kube::Call call);

  // By plural, singular, short name or kind, any case, with or without group. kNotFound names what
  // was asked for.
  Task<Result<ServedKind>> find_kind(std::string word);
  Task<Result<ServedKind>> find_kind(std::string api_version, std::string kind);
  // Several words with commas; "all" and other categories stand for their members.
  Task<Result<std::vector<ServedKind>>> find_kinds(std::string words);
  // Asks again next time: a CRD was added.
  void forget_kinds() { kinds_.clear(); }

 private:
  Session() = default;
  Task<Result<>> load_kinds();

  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<store::kube::Connection> connection_;
  std::string ns_ = "default";
  std::vector<ServedKind> kinds_;
};

}  // namespace slipway::cli
