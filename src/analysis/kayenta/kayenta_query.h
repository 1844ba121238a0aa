#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

// `${scope}`, `${location}`, `${resourceType}` (the query's) and the extended parameters put into
// `text`, once: what is put in is not looked at again. `${x!"y"}` is y when there is no x.
// kInvalid for a variable without value, names those there are.
Result<std::string> expand_variables(std::string_view text, const KayentaScope& scope,
                                     const json::Object& query);

struct KayentaQuery {
  std::string provider = {};  // a type of metrics::known_provider_types()
  std::string text = {};
};
// `query` of a metric; `templates` are the configuration's, or null. `step` in seconds, where a
// query holds it. kInvalid with the field, from `where` on: a query type without a provider here
// (atlas), a template that is not there, a query that only Kayenta's own clients can build.
Result<KayentaQuery> kayenta_query(const json::Object& query, const json::Value* templates,
                                   const KayentaScope& scope, std::int64_t step,
                                   const std::string& where);

// Query types, sorted: the provider that answers each, and whether it needs an address.
struct KayentaType {
  std::string_view type;
  std::string_view provider;
  bool needs_address = true;
};
const std::vector<KayentaType>& kayenta_types();

}  // namespace slipway::analysis
