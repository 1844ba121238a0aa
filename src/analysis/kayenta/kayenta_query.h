#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "base/json.h"

// The text of a query as Kayenta's metric services build it. Pure.
namespace slipway::analysis {

struct KayentaScope {
  std::string scope = {};
  std::string location = {};
  std::map<std::string, std::string> extended = {};  // extendedScopeParams
};
struct KayentaScopes {
  KayentaScope control = {}, experiment = {};
};

// ${scope}, ${location} and the extended parameters put into `text`, once: what is put in is not
// looked at again. kInvalid for a variable without value, names those there are.
Result<std::string> expand_variables(std::string_view text, const KayentaScope& scope,
                                     const json::Object& query);

struct KayentaQuery {
  std::string provider;  // a type of metrics::known_provider_types()
  std::string text;
};
// `query` of a metric; `templates` are the configuration's. `step_seconds` where a query holds it.
// kInvalid with the field, from `where` on: a query type without a provider here (atlas), a
// template that is not there.
Result<KayentaQuery> kayenta_query(const json::Object& query, const json::Value* templates,
                                   const KayentaScope& scope, std::int64_t step_seconds,
                                   const std::string& where);

}  // namespace slipway::analysis
