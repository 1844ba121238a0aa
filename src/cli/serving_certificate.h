#pragma once

#include "cli/data_dir.h"
#include "http/server.h"

namespace slipway::cli {

// Looks every day whether the certificate of a server is about to expire, and gives the server a
// new one in time, without touching open connections. When that fails it says so and tries again
// the next day.
class ServingCertificate {
 public:
  static constexpr Duration kCheckEvery = std::chrono::hours(24);

  // The loop and the server stay until this has gone.
  ServingCertificate(Loop& loop, http::Server& server, DataDir dir, std::vector<std::string> hosts);

 private:
  void check();
  Result<bool> renew();

  Loop& loop_;
  http::Server& server_;
  DataDir dir_;
  std::vector<std::string> hosts_;
  std::unique_ptr<Clock::Timer> timer_;
};

}  // namespace slipway::cli
