#pragma once

#include <string>
#include <vector>

#include "async/gate.h"
#include "store/kube/connection.h"

namespace slipway::cli {

// Rings when something in one of several lists of the API changes. A watch for each, of metadata
// only, which is opened again when it ends or breaks.
//
// What changes while a watch is not open does not ring; its opening does.
class Bell {
 public:
  static constexpr Duration kReopen = std::chrono::seconds(1);

  // `lists` are targets such as /api/v1/namespaces/default/pods?labelSelector=app.
  Bell(Loop& loop, store::kube::Connection& connection, std::vector<std::string> lists);

  // Until it rings, at most for `patience`; at once when it has rung since the last call. True when
  // it has. Listens from the first call on, and until stop().
  Task<bool> wait(Duration patience);
  // Every list is listened to. A server may refuse watches, or be gone.
  bool hears_all() const { return heard_ == lists_.size(); }
  Task<> stop();

 private:
  Task<> listen(std::string list);
  // Opens a watch and rings with it until it ends.
  Task<> pass_on(std::string list);
  void ring();

  Loop& loop_;
  store::kube::Connection& connection_;
  std::vector<std::string> lists_;
  std::size_t heard_ = 0;
  bool listens_ = false;
  bool rung_ = false;
  Signal signal_;
  Gate gate_;
};

}  // namespace slipway::cli
