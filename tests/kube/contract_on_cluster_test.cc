#include "kube/cluster_host.h"

namespace slipway::store {

// The API server's memory of a custom kind begins with its definition.
TEST_P(StoreContract, AVersionFromBeforeAKindWasThereIsExpired) {
  install_widgets();
  Result<std::unique_ptr<Watch>> started = run(store().watch(kWidgets, {.ns = ns(), .from = 1}));
  ASSERT_TRUE(started) << started.error().text();
  EXPECT_EQ(refusal(run((*started)->next(std::chrono::seconds(10), {}))),
            to_string(ErrorCode::kExpired));
}

INSTANTIATE_TEST_SUITE_P(Kubernetes, StoreContract,
                         testing::Values(ContractBackend{
                             "kube",
                             []() -> std::unique_ptr<ContractHost> {
                               return std::make_unique<kube::ClusterHost>();
                             }}),
                         contract_name);

}  // namespace slipway::store
