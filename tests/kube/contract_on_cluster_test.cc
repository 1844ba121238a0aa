#include "kube/cluster_host.h"

namespace slipway::store {

INSTANTIATE_TEST_SUITE_P(Kubernetes, StoreContract,
                         testing::Values(ContractBackend{
                             "kube",
                             []() -> std::unique_ptr<ContractHost> {
                               return std::make_unique<kube::ClusterHost>();
                             }}),
                         contract_name);

}  // namespace slipway::store
