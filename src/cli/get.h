#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace slipway::cli {

struct GetOptions {
  ServerFlags server = {};
  std::vector<std::string> words = {};  // TYPE[,TYPE…] [NAME…], or TYPE/NAME…
  bool all_namespaces = false;
  std::string selector = {};
  std::string field_selector = {};
  std::string output = {};
  bool watch = false;
  bool show_labels = false;
  bool no_headers = false;
  bool show_managed_fields = false;
  int chunk_size = 500;
};

int get(const GetOptions& options);

}  // namespace slipway::cli
