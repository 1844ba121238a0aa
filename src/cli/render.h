#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

struct RenderOptions {
  std::string text = {};
  std::string data = "{}";              // JSON
  std::string engine = "go";            // go, flagger, pipecd or argo
  std::string batch = {};               // a file of cases, or -
  std::vector<std::string> files = {};  // manifests, all of whose queries are rendered
  std::vector<std::string> args = {};   // name=value, for them
  std::string variant = {};             // PipeCD's
  std::string output = {};
  bool ints = false;
};

// `slipway render`: puts data into a query, as one of the dialects does it. Prints the text (with
// -o json as {"text":…} or {"error":{…}}); of files every query, under the metric it belongs to (as
// {"queries":[{"file","line","metric","name","provider","text"}]}). Exit 3 when the template, the
// data or a file are wrong.
int render(const RenderOptions& options);

}  // namespace slipway::cli
