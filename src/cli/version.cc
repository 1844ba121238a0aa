#include "cli/version.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

Result<std::string> ask_server(const ServerFlags& flags) {
  const auto session = Session::open(flags);
  if (!session) return std::unexpected(session.error());
  const auto answer = run_to_end((*session)->loop(), (*session)->send({.target = "/version"}));
  if (!answer) return std::unexpected(answer.error());
  return std::string(json::string_at(*answer, {"gitVersion"}));
}

}  // namespace

int version(const VersionOptions& options) {
  auto format = parse_format(options.output);
  if (!format) return complain(format.error()), kExitUsage;
  json::Object out{{"client", kVersion}};
  Result<std::string> server;
  if (!options.client_only && Session::is_any_named(options.server))
    server = ask_server(options.server);
  if (server && !server->empty()) out["server"] = *server;
  if (*format == Format::kTable) {
    print_line(fmt::format("slipway {}", kVersion));
    if (out.contains("server")) print_line(fmt::format("server  {}", *server));
  } else {
    print_value(out, *format);
  }
  return server ? kExitDone : (complain(server.error()), kExitCannotAsk);
}

}  // namespace slipway::cli
