#pragma once

#include <string>

#include "async/loop.h"
#include "store/store.h"

namespace slipway::scenario {

// The world in which a script is played: simulated, a server on this machine, or a cluster.
class Stage {
 public:
  virtual ~Stage() = default;

  virtual Loop& loop() = 0;
  // As a person uses it: nothing that is injected befalls these calls.
  virtual store::Store& store() = 0;
  virtual const std::string& ns() const = 0;

  // How long a time of the script lasts here.
  virtual Duration lasting(Duration scripted) const = 0;
  // How long what is expected may take to come about.
  virtual Duration patience() const = 0;
  // Events may be lost here, when the program dies before it has told them.
  virtual bool loses_events() const { return false; }

  // Addresses and times put in.
  virtual void prepare(json::Object& manifest) = 0;
  // A number, `none` (no data) or `error` (the source does not answer).
  virtual void set_metric(const std::string& source, const std::string& name,
                          const std::string& value) = 0;
  // Pods of an image become ready, those that there are and those to come; or they do not.
  virtual Task<> set_ready(std::string image, bool ready) = 0;
};

}  // namespace slipway::scenario
