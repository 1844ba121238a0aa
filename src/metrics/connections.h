#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "async/loop.h"
#include "http/client.h"
#include "metrics/kube_connection.h"

namespace slipway::metrics {

// What all providers of a process share: HTTP clients with their open connections, one for each TLS
// setting; sign-in tokens until they expire; the environment; the cluster, if there is one.
class Connections {
 public:
  // An empty text is a variable that is not set.
  using Environment = std::function<std::string(const std::string& name)>;

  // Where a host is reached that nobody else knows the name of, as "ADDRESS:PORT"; an empty text:
  // by its name, like any other. `ns` is the namespace of whoever asks.
  using Places =
      std::function<std::string(const std::string& host, int port, const std::string& ns)>;

  explicit Connections(Loop& loop, Environment environment = system_environment(),
                       KubeConnection* kube = nullptr, Places places = {});
  Connections(const Connections&) = delete;

  Loop& loop() { return loop_; }
  Clock& clock() { return loop_.clock(); }
  KubeConnection* kube() { return kube_; }
  std::string environment(const std::string& name) const { return environment_(name); }

  // Of an http or https URL.
  std::string place_of(const std::string& url, const std::string& ns) const;

  // Shared: a setting not used for long makes room for others while its providers still run.
  std::shared_ptr<http::Client> client(const http::Tls& tls);

  // A token kept earlier that is good for a while yet.
  std::optional<std::string> token(const std::string& key);
  void keep_token(std::string key, std::string token, Time good_until);

  static Environment system_environment();

 private:
  struct Pooled {
    http::Tls tls;
    std::shared_ptr<http::Client> client;
  };
  struct Token {
    std::string text;
    Time good_until;
  };

  Loop& loop_;
  Environment environment_;
  KubeConnection* kube_;
  Places places_;
  std::list<Pooled> clients_;  // the one used last comes first
  std::map<std::string, Token> tokens_;
};

}  // namespace slipway::metrics
