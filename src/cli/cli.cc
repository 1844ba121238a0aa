#include "cli/cli.h"

#include <CLI/CLI.hpp>

#include "cli/exit_code.h"
#include "cli/serve.h"

namespace slipway::cli {

int run(int argc, char** argv) {
  CLI::App app("Is this change good enough to go further?", "slipway");
  app.require_subcommand(1);
  int code = kExitDone;

  ServeOptions serve_options;
  auto* serve_command = app.add_subcommand("serve", "run the server");
  serve_command->add_option("--data", serve_options.data,
                            "folder for the database, tokens and certificates");
  serve_command->add_option("--address", serve_options.address, "address to listen on")
      ->capture_default_str();
  serve_command->add_option("--port", serve_options.port, "port to listen on; 0 takes any free one")
      ->capture_default_str();
  serve_command->add_option("--host", serve_options.hosts,
                            "more names clients may call this server by");
  serve_command->add_flag("--memory", serve_options.memory, "keep nothing on disk");
  serve_command->callback([&] { code = serve(serve_options); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? kExitDone : kExitUsage;
  }
  return code;
}

}  // namespace slipway::cli
