#pragma once

#include <vector>

#include "api/registry.h"

namespace slipway::api {

// What `kubectl get` shows of a built-in kind, as kube-apiserver 1.34 heads its tables.
std::vector<PrinterColumn> builtin_columns(const Gvk& gvk);

}  // namespace slipway::api
