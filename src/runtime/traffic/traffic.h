#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "store/store.h"

// What the proxy should do, as a value: no documents, no text of a configuration.
namespace slipway::runtime::traffic {

struct Server {
  std::string address = {};
  std::int32_t port = 0;
  auto operator<=>(const Server&) const = default;
};

// One port of a Service, and the Pods behind it.
struct Backend {
  store::Key service = {};
  std::int32_t port = 0;
  bool http = false;
  std::vector<Server> servers = {};  // sorted, each once
  bool operator==(const Backend&) const = default;
};

struct HeaderEdit {
  enum class Kind { kSet, kAdd, kRemove };
  Kind kind = Kind::kSet;
  std::string name = {}, value = {};
  bool operator==(const HeaderEdit&) const = default;
};
struct PathEdit {
  enum class Kind { kFull, kPrefix };  // kPrefix: of what the match named
  Kind kind = Kind::kFull;
  std::string value = {};
  bool operator==(const PathEdit&) const = default;
};
struct Redirect {
  std::string scheme = {}, host = {};  // empty: as asked
  std::optional<std::int32_t> port = {};
  std::optional<PathEdit> path = {};
  std::int32_t code = 302;
  bool operator==(const Redirect&) const = default;
};
struct Rewrite {
  std::string host = {};
  std::optional<PathEdit> path = {};
  bool operator==(const Rewrite&) const = default;
};
struct Filters {
  std::vector<HeaderEdit> request = {}, response = {};
  std::optional<Redirect> redirect = {};
  std::optional<Rewrite> rewrite = {};
  bool operator==(const Filters&) const = default;
};

// One of those a rule chooses from, by weight.
struct Choice {
  std::string backend = {};  // its name; empty: there is none, and its share is answered with 500
  std::int64_t weight = 1;
  Filters filters = {};
  bool operator==(const Choice&) const = default;
};
struct Rule {
  std::string name = {};  // NAMESPACE/ROUTE/INDEX
  store::Key route = {};
  Filters filters = {};
  std::vector<Choice> choices = {};
  Duration patience = {};  // with a server; zero: as long as anybody
  bool operator==(const Rule&) const = default;
};

struct TextMatch {
  std::string name = {};  // of the header or query parameter
  bool regex = false;
  std::string value = {};
  bool operator==(const TextMatch&) const = default;
};
struct Match {
  enum class Path { kPrefix, kExact, kRegex };
  std::string host = {};  // empty: any; "*.b.c": anything below b.c
  Path path_kind = Path::kPrefix;
  std::string path = "/";
  std::string method = {};
  std::vector<TextMatch> headers = {}, parameters = {};
  std::string rule = {};
  bool operator==(const Match&) const = default;
};

struct Listener {
  std::string name = {};
  std::string address = {};
  std::int32_t port = 0;
  bool http = false;
  bool forwards = false;  // says for whom it asks
  std::string backend = {};
  std::vector<Match> matches = {};  // the first that holds; none of several: 404
  bool operator==(const Listener&) const = default;
};

struct Traffic {
  std::vector<Listener> listeners = {};  // by name
  std::map<std::string, Rule> rules = {};
  std::map<std::string, Backend> backends = {};
  bool operator==(const Traffic&) const = default;
};

std::string server_name(const Server& server);  // 127.64.0.1:8080
std::string backend_name(const store::Key& service, std::int32_t port);
// The other way; empty for other names.
std::optional<store::Key> service_of_backend(std::string_view name);
std::string service_listener_name(const store::Key& service, std::int32_t port);
std::string gateway_listener_name(const store::Key& gateway, std::int32_t port);

// The variable in which the proxy sums up the microseconds of a backend's answers.
std::string latency_variable(std::string_view backend);

// Where a port is listened at when those below `first_open` need a privilege we lack.
inline constexpr std::int32_t kPortShift = 20'000;
constexpr std::int32_t listening_port(std::int32_t port, std::int32_t first_open) {
  return port < first_open ? port + kPortShift : port;
}

}  // namespace slipway::runtime::traffic
