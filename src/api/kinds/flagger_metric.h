#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/schema/codec.h"

// flagger.app/v1beta1 MetricTemplate.
namespace slipway::api::flagger {

constexpr std::string_view schema_prefix(const void*) { return "app.flagger.v1beta1."; }

struct LocalObjectReference {
  std::string name = {};
};
struct MetricTemplateProvider {
  std::string type = {};
  std::string address = {};
  std::map<std::string, std::vector<std::string>> headers = {};
  std::optional<LocalObjectReference> secret_ref = {};  // in the template's namespace
  std::string region = {};
  bool insecure_skip_verify = false;
};
struct MetricTemplateSpec {
  MetricTemplateProvider provider = {};
  std::string query = {};  // a Go template
};
struct MetricTemplateCondition {
  std::string type = {}, status = {};
  std::optional<Time> last_update_time = {}, last_transition_time = {};
  std::string reason = {}, message = {};
};
struct MetricTemplateStatus {
  std::vector<MetricTemplateCondition> conditions = {};
};
struct MetricTemplate {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  MetricTemplateSpec spec = {};
  MetricTemplateStatus status = {};
};

}  // namespace slipway::api::flagger
