#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "async/real_loop.h"
#include "store/contract.h"
#include "store/kube/kube_store.h"

namespace slipway::store::kube {

// A store on the cluster that $KUBECONFIG names. `kind` is a suffix of that path:
// "-certificate" and "-view" are other ways in (see cluster).
class ClusterHost final : public ContractHost {
 public:
  explicit ClusterHost(std::string_view kind = {}) {
    const char* path = std::getenv("KUBECONFIG");
    SLIPWAY_ASSERT(path != nullptr);
    Result<Access> access = load_kubeconfig(std::string(path).append(kind));
    EXPECT_TRUE(access) << access.error().text();
    connection_ = connect(*loop_, *pool_, access.value_or(Access{}));
    store_ = make_kube_store(*loop_, *connection_, *registry_);
  }

  Loop& loop() override { return *loop_; }
  Store& store() override { return *store_; }

 private:
  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Pool> pool_ = make_thread_pool(1);
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Store> store_;
};

}  // namespace slipway::store::kube
