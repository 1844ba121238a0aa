#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/registry.h"

namespace slipway::api {

// A list of field errors, worded and coded as Kubernetes words them (k8s.io/apimachinery
// field.Error). What finds more than anybody reads is cut short: a body of 3 MiB can hold mistakes
// whose texts would fill any memory.
struct Findings {
  static constexpr std::size_t kMaxCauses = 1000;
  static constexpr std::size_t kMaxBytes = 1024 * 1024;  // of their texts, and one more

  std::vector<Cause> causes = {};
  std::size_t bytes = 0;

  void add(Cause cause);
  bool is_full() const { return causes.size() >= kMaxCauses || bytes >= kMaxBytes; }
  void required(std::string field, std::string detail = {});  // Required value[: detail]
  void invalid(std::string field, const json::Value& value,
               std::string detail);  // Invalid value: "x": detail
  void not_supported(std::string field, const json::Value& value,
                     const std::vector<std::string>& allowed);
  void duplicate(std::string field, const json::Value& value);
  void forbidden(std::string field, std::string detail);
  void too_long(std::string field, std::size_t limit);
  void too_many(std::string field, std::size_t count, std::size_t limit);
  void wrong_type(std::string field, const json::Value& value, std::string_view wanted);
  bool empty() const { return causes.empty(); }

  // 422 as the API server says it: `Rollout.argoproj.io "web" is invalid: [a: …, b: …]`.
  Error error(const Gvk& gvk, std::string_view name) const;
};

// null boolean integer number string array object: a value's JSON type as messages name it.
std::string_view type_word(const json::Value& value);

// What to do with fields the schema does not know (fieldValidation).
enum class Unknown { kIgnore, kWarn, kStrict };

// Removes fields the schema does not know (kept under preserve_unknown), and lists their paths:
// `spec.foo`.
void prune(json::Object& object, const Schema& schema, std::vector<std::string>& removed);
// Lists unknown fields without removing: lint.
std::vector<std::string> unknown_fields(const json::Object& object, const Schema& schema);

// Fills in schema defaults (and nothing else), in place.
void set_defaults(json::Value& value, const Schema& schema);
void set_defaults(json::Object& object, const Schema& schema);

// Checks types, required, enums, ranges, patterns, list-map uniqueness.
void check(const json::Value& value, const Schema& schema, std::string_view path,
           Findings& findings);

// A whole object.
void check(const json::Object& object, const Schema& schema, Findings& findings);

// Metadata rules common to all kinds: name, generateName, namespace, labels, annotations (256 KiB),
// owner references, finalizers. With `old`, also what an update must not change.
void check_metadata(const json::Object& object, const json::Object* old, const Resource& resource,
                    Findings& findings);

// Name rules; the text is Kubernetes' explanation, empty when the name is fine.
std::string dns_subdomain_problem(std::string_view name);
std::string dns_label_problem(std::string_view name);
std::string dns_1035_label_problem(std::string_view name);
std::string path_segment_problem(std::string_view name);
std::string label_value_problem(std::string_view value);
std::string qualified_name_problem(std::string_view name);

}  // namespace slipway::api
