#include "runtime/workloads/own_writes.h"

#include <algorithm>

namespace slipway::runtime {

namespace {

constexpr Duration kPatience = std::chrono::seconds(10);

}  // namespace

bool may_have_happened(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kTimeout ||
         code == ErrorCode::kCancelled || code == ErrorCode::kInternal;
}

void OwnWrites::wrote(const store::Key& owner, store::Version version) {
  Pending& pending = pending_[owner];
  pending.version = std::max(pending.version, version);
}

void OwnWrites::failed(const store::Key& owner, const Error& error) {
  if (may_have_happened(error.code)) pending_[owner].unsure = true;
}

Result<> OwnWrites::note(const store::Key& owner, const Result<store::Item>& written) {
  if (written) {
    wrote(owner, written->version);
    return {};
  }
  failed(owner, written.error());
  return std::unexpected(written.error());
}

Task<Result<>> OwnWrites::shown(store::Key owner) {
  const auto known = pending_.find(owner);
  if (known == pending_.end()) co_return Result<>();
  Pending pending = known->second;
  if (pending.unsure) {
    // Whatever did happen is at most as new as what is there now.
    auto page = co_await manager_.store().list(kind_, {.ns = owner.ns, .limit = 1});
    if (!page) co_return std::unexpected(std::move(page).error());
    pending = {.version = std::max(pending.version, page->version)};
    pending_[owner] = pending;
  }
  if (!co_await manager_.cache(kind_).reach(pending.version, kPatience, {}))
    co_return fail(ErrorCode::kUnavailable, kind_.resource + " written here have yet to be seen");
  pending_.erase(owner);
  co_return Result<>();
}

}  // namespace slipway::runtime
