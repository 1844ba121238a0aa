#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "async/loop.h"
#include "base/json.h"
#include "cli/lines.h"
#include "store/kube/connection.h"

namespace slipway::cli {

// The events of a watch. Servers end watches after a while, and connections break: it is opened
// again from the last version that came, and nobody notices.
class Watching {
 public:
  struct Source {
    std::function<Task<Result<std::unique_ptr<http::ResponseStream>>>(store::kube::Call)> open = {};
    std::string list = {};  // the target of the list, perhaps with a query
    std::string accept = "application/json";
    std::string version = "0";  // 0: begins with what is there
    Error ended = {};           // what is said when it cannot be opened again
  };
  Watching(Loop& loop, Source source) : loop_(loop), source_(std::move(source)) {}

  // The next event, bookmarks too. kTimeout: none came for so long. kExpired: the server has
  // forgotten what came after `version`; once something came, and for a server that has gone,
  // `ended`.
  Task<Result<json::Value>> next(Duration idle = std::chrono::hours(24));

  static constexpr Duration kReopen = std::chrono::seconds(1);  // from one opening to the next

 private:
  Task<Result<>> open();
  Result<json::Value> read(const std::string& line);
  Error refused(Error error) const;

  Loop& loop_;
  Source source_;
  std::optional<Duration> opened_;  // when, in uptime
  bool opened_again_ = false;
  std::unique_ptr<http::ResponseStream> stream_;
  std::optional<Lines> lines_;  // of stream_
};

}  // namespace slipway::cli
