#pragma once

#include <memory>

#include "base/random.h"
#include "store/kube/connection.h"
#include "store/store.h"

namespace slipway::store::kube {

// The same Store over a real API server. Watches resume where they were when a connection breaks;
// what cannot be resumed (410) is kExpired, as with every store. `registry` names the kinds; those
// it does not know are refused (kNotFound).
std::unique_ptr<Store> make_kube_store(Loop& loop, Connection& connection, api::Registry& registry);

}  // namespace slipway::store::kube
