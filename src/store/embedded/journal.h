#pragma once

#include <memory>
#include <vector>

#include "async/task.h"
#include "store/embedded/state.h"

namespace slipway::store {

// Writes that become durable together, in order.
struct Batch {
  std::vector<Change> changes;
  std::size_t bytes = 0;
};
// The last one may go over: a batch is closed once it is full.
inline constexpr std::size_t kMaxBatchWrites = 1'000;
inline constexpr std::size_t kMaxBatchBytes = 8 * 1024 * 1024;

// Where writes are made to last.
class Journal {
 public:
  virtual ~Journal() = default;

  // All of the batch on disk, or nothing: kNoSpace, kUnavailable. After a failure the next batch
  // may be tried at once. One at a time.
  virtual Task<Result<>> append(std::shared_ptr<const Batch> batch) = 0;
  virtual Task<> close() = 0;
};

}  // namespace slipway::store
