#pragma once

#include <memory>

#include "store/kube/connection.h"
#include "store/store.h"

namespace slipway::store::kube {

// The same Store over a real API server. Outlives its watches; the loop, the connection and the
// registry outlive it.
//
// `registry` names the kinds. One it does not know is looked for among the cluster's
// CustomResourceDefinitions and added; what is not there either is kNotFound.
//
// Watches resume where they were when a connection breaks; what cannot be resumed (410) is
// kExpired, as with every store. While there is no connection, next() ends its patience with the
// reason (kUnavailable) and may be called again. Bookmarks come as the API server sends them: about
// every minute, none at the end of a patience.
//
// remove() reads the object first, for its last state: most kinds' answers do not hold it.
std::unique_ptr<Store> make_kube_store(Loop& loop, Connection& connection, api::Registry& registry);

}  // namespace slipway::store::kube
