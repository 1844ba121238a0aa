#pragma once

#include <string>
#include <vector>

#include "runtime/traffic/traffic.h"

namespace slipway::runtime::traffic {

inline constexpr const char* kConfigFile = "haproxy.cfg";
inline constexpr const char* kWeightsFile = "weights.map";
inline constexpr const char* kAdminSocket = "admin.sock";
inline constexpr int kDraws = 10'000;  // a weight is so many of these

// HAProxy's configuration. Paths in it are relative to the folder it is run in.
struct Rendered {
  std::string config = {};
  std::string weights = {};               // the map: rule to cuts
  std::map<int, store::Key> routes = {};  // line of `config`, from 1, to the route it is of
};
Rendered render(const Traffic& traffic);

// Where each choice of a rule ends, of kDraws: "9900:10000". No weight at all: all are 0.
std::string render_cuts(const Rule& rule);

}  // namespace slipway::runtime::traffic
