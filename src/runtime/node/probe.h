#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/time.h"

namespace slipway::runtime {

enum class ProbeKind : std::uint8_t { kStartup, kReadiness, kLiveness };
std::string_view to_string(ProbeKind kind);  // "Startup", as events say it

// How a container's health is asked for.
struct ProbeSpec {
  enum class Action : std::uint8_t { kExec, kHttp, kTcp, kGrpc };
  Action action = Action::kExec;
  std::vector<std::string> argv = {};
  std::string host = {};   // empty: the Pod's
  std::uint16_t port = 0;  // 0: the name it was given is no port of the container
  std::string path = "/";
  bool tls = false;
  std::vector<std::pair<std::string, std::string>> headers = {};
  Duration initial_delay = {};
  Duration timeout = std::chrono::seconds(1);
  Duration period = std::chrono::seconds(10);
  int success_threshold = 1;
  int failure_threshold = 3;
  std::optional<std::int64_t> grace_seconds = {};  // of a container killed for it
};
std::optional<ProbeSpec> parse_probe(const json::Value& container, ProbeKind kind);

struct ProbeAnswer {
  bool success = false;
  std::string message = {};  // of a failure: "HTTP probe failed with statuscode: 500"
};

// The answers about one run of a container, added up as the thresholds say.
class ProbeCount {
 public:
  // `passed`: what holds until there are enough answers. Liveness begins with true, the others with
  // false, or with what is known of this run from before.
  ProbeCount(const ProbeSpec& spec, ProbeKind kind, bool passed)
      : success_threshold_(spec.success_threshold),
        failure_threshold_(spec.failure_threshold),
        kind_(kind),
        passed_(passed) {}

  void add(bool success);
  bool passed() const { return passed_; }
  // The container has to be stopped: nothing more is asked of this run.
  bool must_die() const { return must_die_; }
  // Nothing more needs to be asked: a startup probe that has passed.
  bool is_over() const { return must_die_ || (kind_ == ProbeKind::kStartup && passed_); }

 private:
  int success_threshold_;
  int failure_threshold_;
  ProbeKind kind_;
  bool passed_;
  bool must_die_ = false;
  bool last_ = false;
  int streak_ = 0;
};

}  // namespace slipway::runtime
