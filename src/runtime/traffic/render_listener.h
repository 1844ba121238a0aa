#pragma once

#include <string>

#include "runtime/traffic/render.h"

namespace slipway::runtime::traffic {

// Lines of a configuration, and which route each is of.
class Lines {
 public:
  explicit Lines(Rendered& out) : out_(out) {}

  void section(const std::string& title);
  void add(const std::string& line);
  void add_of(const store::Key& route, const std::string& line);

 private:
  Rendered& out_;
  int count_ = 0;
};

// A frontend: what it listens at, which rule takes a request, and what the rule does.
void render_listener(const Listener& listener, const Traffic& traffic, Lines& lines);

}  // namespace slipway::runtime::traffic
