#include "store/embedded/commit_queue.h"

#include <utility>

namespace slipway::store {

CommitQueue::CommitQueue(Loop& loop, State& state, std::unique_ptr<Journal> journal,
                         std::function<void(const std::vector<Change>&)> committed)
    : loop_(loop),
      state_(state),
      journal_(std::move(journal)),
      committed_(std::move(committed)),
      roomier_(loop),
      gate_(loop) {}

bool CommitQueue::has_room() const {
  const Batch& batch = *gathering_.batch;
  return !stopping_ && batch.changes.size() < kMaxBatchWrites && batch.bytes < kMaxBatchBytes;
}

Task<bool> CommitQueue::room() {
  while (!has_room() && !stopping_) co_await roomier_.wait();
  co_return !stopping_;
}

void CommitQueue::stage(Change change) {
  if (!journal_) {
    ++commits_;
    commit({std::move(change)});
    return;
  }
  state_.stage(change);
  gathering_.batch->bytes += change.erased ? 0 : change.after->bytes->size();
  gathering_.batch->changes.push_back(std::move(change));
  // The spawned task starts on the next turn, so that writes which are ready now share the first
  // batch too.
  if (!std::exchange(running_, true)) gate_.spawn(run());
}

Task<Result<>> CommitQueue::settled() {
  Load& load = gathering_.batch->changes.empty() ? flying_ : gathering_;
  if (load.batch->changes.empty()) co_return Result<>();
  Completion<Result<>> done(loop_);
  load.waiters.push_back(done);
  co_return co_await done;
}

Task<> CommitQueue::run() {
  while (!gathering_.batch->changes.empty()) {
    flying_ = std::exchange(gathering_, Load());
    roomier_.notify_all();
    Result<> result = co_await journal_->append(flying_.batch);
    if (result) {
      ++commits_;
      commit(flying_.batch->changes);
    } else {
      ++failed_commits_;
      state_.discard_staged();
      answer(gathering_, result);
      gathering_ = Load();
      roomier_.notify_all();
    }
    Load landed = std::exchange(flying_, Load());
    answer(landed, result);
  }
  running_ = false;
}

void CommitQueue::commit(const std::vector<Change>& changes) {
  writes_ += changes.size();
  for (const Change& change : changes) state_.commit(change);
  committed_(changes);
}

void CommitQueue::answer(Load& load, const Result<>& result) {
  for (const Completion<Result<>>& waiter : load.waiters) waiter.set(result);
}

Task<> CommitQueue::stop() {
  stopping_ = true;
  roomier_.notify_all();
  co_await gate_.close();
  if (journal_) co_await journal_->close();
}

}  // namespace slipway::store
