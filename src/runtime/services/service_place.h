#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "store/store.h"

// Names of Services, as Pods of a cluster know them, on a machine that has no such name server.
namespace slipway::runtime {

// `NAME[.NS[.svc[.cluster.local]]]`, whether there is such a Service or not; `ns` is where a name
// without namespace belongs, and may be empty where none does. None: it cannot be a Service's.
std::optional<store::Key> service_named(std::string_view host, std::string_view ns);

// "ADDRESS:PORT" where the proxy takes requests for this port of the Service. Empty: nowhere, since
// the Service has no address of its own, or not yet.
std::string place_of(const json::Object& service, std::int32_t port);

}  // namespace slipway::runtime
