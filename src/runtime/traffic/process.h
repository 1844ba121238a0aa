#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/shim/identity.h"
#include "runtime/traffic/render.h"

// The proxy as a process of this machine: it belongs to nobody, so that it outlives the server. All
// of it blocks.
namespace slipway::runtime::traffic {

// Something that the proxy does not take in its configuration.
struct Finding {
  int line = 0;  // 0: of no line
  std::string text = {};
};
// Writes the configuration beside the one in use and has it read. No findings: it may be started.
// Otherwise of every route whose tests are not taken there is one, at least, as far as a limited
// number of readings shows them: the others are found when those are out of the way.
Result<std::vector<Finding>> check_config(const std::string& program, const std::string& folder,
                                          const Rendered& rendered);
std::vector<Finding> parse_findings(std::string_view complaints);

// Starts a process with the configuration that was checked last. The one that answers hands its
// listeners over, and every other one of the folder ends when its connections have. Errors:
// kUnavailable, in the proxy's words; what ran runs on. From one that says nothing no listener is
// taken: clients that it has not accepted yet are lost.
Result<ProcessIdentity> start_process(const std::string& program, const std::string& folder);

// The process that answers in this folder, once no other one is about to take over from it. One
// that was started there and says nothing is killed.
std::optional<ProcessIdentity> find_process(const std::string& folder);

// Those that cannot be listened at, and why.
std::vector<std::pair<std::string, std::string>> find_taken(const std::vector<Listener>& listeners);

// The first port that we may listen at.
std::int32_t first_open_port();

}  // namespace slipway::runtime::traffic
