#include "cli/cli.h"

int main(int argc, char** argv) { return slipway::cli::run(argc, argv); }
