#pragma once

#include <map>

#include "control/manager.h"

namespace slipway::runtime {

// Whether a write that failed may have happened all the same.
bool may_have_happened(ErrorCode code);

// What a controller has written to objects of one kind on behalf of others, as far as the cache
// may not show it yet. Counting from a cache that is behind one's own writes makes a Pod too many.
class OwnWrites {
 public:
  OwnWrites(control::Manager& manager, api::Gvr kind) : manager_(manager), kind_(std::move(kind)) {}

  void wrote(const store::Key& owner, store::Version version);
  // Of a write for `owner` that failed.
  void failed(const store::Key& owner, const Error& error);
  // Whichever it was; its error, if any.
  Result<> note(const store::Key& owner, const Result<store::Item>& written);

  // Until the cache shows all of it. kUnavailable: it does not yet; try again.
  Task<Result<>> shown(store::Key owner);

 private:
  struct Pending {
    store::Version version = 0;
    bool unsure = false;  // something may have been written, with a version we were not told
  };

  control::Manager& manager_;
  api::Gvr kind_;
  std::map<store::Key, Pending> pending_;
};

}  // namespace slipway::runtime
