#pragma once

#include <string>
#include <vector>

#include "runtime/shim/process_list.h"

namespace slipway::runtime::traffic {

inline constexpr const char* kPidFile = "haproxy.pid";

// The words with which a proxy is started on `folder`, behind its program.
std::vector<std::string> proxy_words(const std::string& folder);

// Every process that was started so on this folder, however it spelled it: the one that carries
// traffic, those before it that still have connections, and one that is just being started.
std::vector<Process> find_proxies(const std::string& folder);

}  // namespace slipway::runtime::traffic
