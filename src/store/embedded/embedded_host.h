#pragma once

#include <memory>
#include <string>

#include "api/registry.h"
#include "async/real_loop.h"
#include "async/sim_loop.h"
#include "base/scratch_testing.h"
#include "store/contract.h"
#include "store/embedded.h"

// Embedded stores under test, with all they need around them.
namespace slipway::store {

// In memory on simulated time.
class MemoryHost final : public ContractHost {
 public:
  explicit MemoryHost(std::uint64_t seed = 1);
  ~MemoryHost() override;
  SimLoop& loop() override { return *loop_; }
  EmbeddedStore& store() override { return *store_; }

 private:
  std::unique_ptr<SimLoop> loop_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<EmbeddedStore> store_;
};

// On a SQLite file, on simulated time and one thread when `vfs` is given, else on real ones.
class SqliteHost final : public ContractHost {
 public:
  // Fails the test when the store does not open: see opened().
  explicit SqliteHost(std::string path, std::string vfs = {}, std::uint64_t seed = 1);
  ~SqliteHost() override;
  Loop& loop() override { return *loop_; }
  EmbeddedStore& store() override { return **store_; }
  const Result<std::unique_ptr<EmbeddedStore>>& opened() const { return store_; }
  void stop();

 private:
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  Result<std::unique_ptr<EmbeddedStore>> store_;
};

// SLIPWAY_ROUNDS, or `fallback`: how many seeds a sampled test tries.
std::uint64_t rounds(std::uint64_t fallback);

}  // namespace slipway::store
