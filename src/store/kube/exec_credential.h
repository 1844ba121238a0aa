#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "store/kube/kubeconfig.h"
#include "store/kube/run_program.h"

namespace slipway::store::kube {

// What an exec plugin gave.
struct ExecCredential {
  std::string token = {};
  std::string certificate_pem = {};
  std::string key_pem = {};
  std::optional<Time> expires = {};
};

// The program to run for `access.exec`, which must be there: its environment tells it what is asked
// for (KUBERNETES_EXEC_INFO).
Program exec_program(const Access& access);

// Errors: kUnauthorized, saying what the plugin did wrong. No message holds its output.
Result<ExecCredential> parse_exec_credential(std::string_view text, const ExecPlugin& plugin);

// Runs the plugin. Blocking. Errors: kUnauthorized, with the plugin's words and install hint.
Result<ExecCredential> run_exec_plugin(const Access& access);

}  // namespace slipway::store::kube
