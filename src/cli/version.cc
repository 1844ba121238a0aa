#include "cli/version.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/output.h"

namespace slipway::cli {

int version(const VersionOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  json::Object out{{"client", kVersion}};
  std::string server;
  if (!options.client_only) {
    if (auto session = Session::open(options.server)) {
      auto answer = run_to_end((*session)->loop(), (*session)->send({.target = "/version"}));
      if (answer) server = json::string_at(*answer, {"gitVersion"});
    }
  }
  if (!server.empty()) out["server"] = server;
  if (*format == Format::kJson || *format == Format::kYaml) {
    print_value(out, *format);
    return kExitDone;
  }
  print_line(fmt::format("slipway {}", kVersion));
  if (!server.empty()) print_line(fmt::format("server  {}", server));
  return kExitDone;
}

}  // namespace slipway::cli
