#include "store/embedded/embedded_host.h"

namespace slipway::store {

MemoryHost::MemoryHost(std::uint64_t seed)
    : loop_(make_sim_loop({.seed = seed})),
      random_(seeded_random(seed)),
      store_(make_memory_store(*loop_, *registry_, *random_)) {}

MemoryHost::~MemoryHost() { run_to_end(*loop_, store_->stop()); }

namespace {
std::unique_ptr<Loop> loop_for(const std::string& vfs, std::uint64_t seed) {
  if (vfs.empty()) return make_loop();
  return make_sim_loop({.seed = seed});
}
}  // namespace

SqliteHost::SqliteHost(std::string path, std::string vfs, std::uint64_t seed)
    : loop_(loop_for(vfs, seed)),
      pool_(vfs.empty() ? make_thread_pool(1) : make_inline_pool()),
      random_(seeded_random(seed)),
      store_(open_sqlite_store(*loop_, *pool_, *registry_, *random_, std::move(path), vfs)) {}

SqliteHost::~SqliteHost() { stop(); }

void SqliteHost::stop() {
  if (store_ && *store_) {
    run_to_end(*loop_, (*store_)->stop());
    store_->reset();
  }
}

std::uint64_t rounds(std::uint64_t fallback) {
  const char* text = std::getenv("SLIPWAY_ROUNDS");
  return text ? std::strtoull(text, nullptr, 10) : fallback;
}

namespace {
struct SqliteContractHost final : ContractHost {
  ScratchFolder folder;
  SqliteHost host{folder.file("store.db")};
  Loop& loop() override { return host.loop(); }
  Store& store() override { return host.store(); }
};
}  // namespace

INSTANTIATE_TEST_SUITE_P(Memory, StoreContract,
                         testing::Values(ContractBackend{"Memory",
                                                         []() -> std::unique_ptr<ContractHost> {
                                                           return std::make_unique<MemoryHost>();
                                                         }}),
                         contract_name);
INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract,
                         testing::Values(ContractBackend{
                             "Sqlite",
                             []() -> std::unique_ptr<ContractHost> {
                               return std::make_unique<SqliteContractHost>();
                             }}),
                         contract_name);

}  // namespace slipway::store
