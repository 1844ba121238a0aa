#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "async/loop.h"
#include "base/random.h"
#include "store/kube/answer.h"
#include "store/kube/connection.h"
#include "store/kube/event_lines.h"
#include "store/store.h"

namespace slipway::store::kube {

inline constexpr std::size_t kInitialPage = 500;      // objects a page of the initial list
inline constexpr std::size_t kMaxEventsAtOnce = 500;  // in one answer of next()
inline constexpr int kWatchSeconds = 540;             // then the server ends it, and we resume
// API servers send a bookmark about every minute: after this long a connection is taken for dead.
inline constexpr Duration kMaxSilence = std::chrono::seconds(150);
inline constexpr Duration kConnectTimeout = std::chrono::seconds(30);
// An attempt to connect, or a page of a list, is given this long even when patience is shorter, so
// that it can succeed.
inline constexpr Duration kMinConnect = std::chrono::seconds(2);
// A connection that brought nothing and ended this soon is a failure, not an end.
inline constexpr Duration kShortLife = std::chrono::seconds(1);

// A place in an API server's history that survives broken connections.
class KubeWatch final : public Watch {
 public:
  // Resource: shared, because its definition may be removed from the registry meanwhile.
  KubeWatch(Loop& loop, Connection& connection, Random& random,
            std::shared_ptr<const api::Resource> resource, WatchOptions options);

  // The first exchange with the server, so that refusals are told at once.
  Task<Result<>> start();
  Task<Result<std::vector<Event>>> next(Duration patience, std::stop_token stop) override;

 private:
  Result<std::vector<Event>> take();
  Result<> take_line(std::string_view line, std::vector<Event>& events);
  Task<Result<>> list_page(std::stop_token stop);
  // The next page of the initial list, within what is left of the patience.
  Task<Result<>> go_on_listing(Duration left, std::stop_token stop);
  Task<Result<>> connect(Duration left, std::stop_token stop);
  Task<Result<>> open(std::stop_token stop);
  Task<Result<>> receive(Duration left, std::stop_token stop);
  // There is a connection, and it is more than one that ends at once.
  bool settled() const;
  // Ends the connection. Failures that a new one may mend are counted; others are given back.
  Result<> drop(std::optional<Error> why);
  Event initial_end() const;

  Loop& loop_;
  Connection& connection_;
  Random& random_;
  std::shared_ptr<const api::Resource> resource_;
  WatchOptions options_;
  Version version_;                     // everything up to here has been taken
  std::optional<ListOptions> listing_;  // the initial list goes on
  std::vector<Event> pending_;          // of the initial list
  std::unique_ptr<http::ResponseStream> stream_;
  EventLines lines_;
  Duration opened_ = {};      // uptime
  Duration last_byte_ = {};   // uptime
  bool brought_any_ = false;  // the connection, so far
  int failures_ = 0;          // in a row
  Duration retry_at_ = {};    // uptime: not before
  std::optional<Error> failure_;
};

}  // namespace slipway::store::kube
