#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "async/completion.h"
#include "async/gate.h"
#include "async/signal.h"
#include "store/embedded/journal.h"

namespace slipway::store {

// Group commit: while one batch is made durable, the next gathers.
//
// A write that fails to become durable takes all staged ones with it, because they were decided on
// top of it. Without a journal every write is committed at once.
class CommitQueue {
 public:
  // `committed` is called after the changes of a batch are in the state, before their writers go
  // on.
  CommitQueue(Loop& loop, State& state, std::unique_ptr<Journal> journal,
              std::function<void(const std::vector<Change>&)> committed);

  bool has_room() const;
  // Waits until the gathering batch has room. False once stop() was called.
  Task<bool> room();

  // Decided now, durable after settled().
  void stage(Change change);
  // Waits until everything staged so far is durable and visible, or has failed.
  Task<Result<>> settled();

  // Waits for all that is staged; nothing may be staged from now on.
  Task<> stop();
  bool stopping() const { return stopping_; }

  std::uint64_t writes() const { return writes_; }
  std::uint64_t commits() const { return commits_; }
  std::uint64_t failed_commits() const { return failed_commits_; }

 private:
  struct Load {
    std::shared_ptr<Batch> batch = std::make_shared<Batch>();
    std::vector<Completion<Result<>>> waiters = {};
  };
  Task<> run();
  void commit(const std::vector<Change>& changes);
  static void answer(Load& load, const Result<>& result);

  Loop& loop_;
  State& state_;
  std::unique_ptr<Journal> journal_;
  std::function<void(const std::vector<Change>&)> committed_;
  Load gathering_;
  Load flying_;  // being made durable; empty when none is
  bool running_ = false;
  bool stopping_ = false;
  Signal roomier_;
  Gate gate_;
  std::uint64_t writes_ = 0;
  std::uint64_t commits_ = 0;
  std::uint64_t failed_commits_ = 0;
};

}  // namespace slipway::store
