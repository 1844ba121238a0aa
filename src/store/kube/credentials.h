#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "async/blocking.h"
#include "async/limit.h"
#include "http/client.h"
#include "store/kube/exec_credential.h"
#include "store/kube/kubeconfig.h"

namespace slipway::store::kube {

inline constexpr Duration kTokenFileAge = std::chrono::minutes(1);
// A plugin that has failed, or whose new credentials were refused as well, is left alone this long.
inline constexpr Duration kExecPause = std::chrono::seconds(5);

// Who we are to the server, kept fresh: the token file is read again when it is a minute old, the
// exec plugin runs again when what it gave has expired, both when the server refuses us.
class Credentials {
 public:
  Credentials(Loop& loop, Pool& pool, Access access);

  struct Current {
    std::string authorization;  // the header; empty: none
    // Shared with the calls under way: it is replaced when a plugin gives another certificate.
    std::shared_ptr<http::Client> client;
    std::uint64_t generation = 0;
  };
  // Errors: kUnauthorized (the plugin failed, the file cannot be read), kCancelled.
  Task<Result<Current>> get(std::stop_token stop);

  // The server said 401 to those of `generation`: the next get() renews them. False when that would
  // not help.
  bool refuse(std::uint64_t generation);

  const Access& access() const { return access_; }

 private:
  bool fresh() const;
  Task<Result<>> renew();
  Task<Result<>> read_token_file();
  Task<Result<>> run_plugin();
  void use(ExecCredential credential);

  Loop& loop_;
  Pool& pool_;
  Access access_;
  Limit turn_;  // one renewal at a time
  Current current_;
  std::optional<Duration> renewed_;  // uptime
  std::optional<Duration> renewed_after_refusal_;
  std::optional<Time> expires_;
  std::optional<Error> failure_;  // of the last run of the plugin
  bool refused_ = false;
};

}  // namespace slipway::store::kube
