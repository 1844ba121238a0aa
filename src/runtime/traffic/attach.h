#pragma once

#include "runtime/traffic/resolve.h"

namespace slipway::runtime::traffic {

// Which routes are in effect where, and what becomes of their references.
struct Attachments {
  std::map<store::Key, std::vector<ParentVerdict>> routes = {};
  std::map<store::Key, std::vector<ListenerVerdict>> gateways = {};
  std::map<std::string, Rule> rules = {};
  std::map<std::string, std::vector<Ranked>> matches = {};  // by listener
  std::set<std::string> http = {};  // backends that a route speaks HTTP with
};
Attachments attach(const Sources& sources, const Terms& terms);

}  // namespace slipway::runtime::traffic
