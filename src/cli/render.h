#pragma once

#include <string>

namespace slipway::cli {

struct RenderOptions {
  std::string text = {};
  std::string data = "{}";    // JSON
  std::string engine = "go";  // go, flagger, pipecd or argo
  std::string batch = {};     // a file of cases, or -
  std::string output = {};
  bool ints = false;
};

// `slipway render`: puts data into a query, as one of the dialects does it. Prints the text (with
// -o json as {"text":…} or {"error":{…}}). Exit 3 when the template or the data are wrong.
int render(const RenderOptions& options);

}  // namespace slipway::cli
