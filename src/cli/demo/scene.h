#pragma once

#include <string>

#include "base/error.h"

// The files of examples/demo, which are part of this program, made fit for one run of it. Pure.
namespace slipway::cli {

// What differs from run to run.
struct ScenePlaces {
  std::string program = "slipway";                   // what the images run
  std::string prometheus = "http://127.0.0.1:9090";  // where it is asked
  std::string server = "https://127.0.0.1:8080";     // where Prometheus asks for Pods
  int port = 8080;                                   // of the Pods, Services and the Gateway
};

struct Scene {
  std::string manifests = {};   // web.yaml
  std::string images = {};      // images.conf
  std::string prometheus = {};  // prometheus.conf
};
Scene make_scene(const ScenePlaces& places);

}  // namespace slipway::cli
