#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/redact.h"
#include "api/kinds/argo_analysis.h"
#include "lang/args/args.h"

// A run's arguments, and its metrics with them put in. Pure.
namespace slipway::analysis {

struct SecretArgument {
  std::string argument = {};
  std::string secret = {};
  std::string key = {};

  bool operator==(const SecretArgument&) const = default;
};

struct Arguments {
  lang::Tags tags = {};  // what is in Secrets stands as kStandIn
  std::vector<SecretArgument> secrets = {};
};
inline constexpr std::string_view kStandIn = "dummy-value";

// `fieldRef` reads the run's own metadata.
Arguments arguments_of(const api::argo::AnalysisRunSpec& spec, const json::Value& metadata);

// Data of Secrets, decoded, by the Secret's name.
using SecretData = std::map<std::string, std::map<std::string, std::string>>;
// Puts the secrets' values in, and makes them known to `redactor`. Error (kInvalid): "key 'k' does
// not exist in secret 's'".
Result<> fill_secrets(Arguments& arguments, const SecretData& data, Redactor& redactor);

// Whether any text in a JSON value waits for an argument.
bool has_tags(const json::Value& value);

// The metrics of a run, as JSON, with every {{args.x}} replaced. Errors: kInvalid, in Argo's words.
Result<std::vector<api::argo::Metric>> resolve(const json::Value& metrics, const lang::Tags& tags);

}  // namespace slipway::analysis
