#include "api/admit.h"

#include <fmt/format.h>
#include <algorithm>

#include "api/object.h"
#include "api/scale.h"
#include "api/schema/defaults.h"
#include "api/schema/field_path.h"
#include "api/wire/go_format.h"
#include "api/wire/go_types.h"

namespace slipway::api {

namespace {

// Limits on words are all that the schema of a native kind knows beyond types: its other rules are
// code (rules_*.cc), and the status is written by controllers whose words nobody checks.
void check_words(const json::Value& value, const Schema& schema, const FieldPath& path,
                 Findings& findings) {
  if (value.is_string() && !schema.enumeration.empty() && !value.get_string().empty()) {
    std::string_view text(value.get_string().data(), value.get_string().size());
    if (std::ranges::find(schema.enumeration, text) == schema.enumeration.end()) {
      findings.not_supported(path.text(), value, schema.enumeration);
    }
  } else if (value.is_object() && schema.shape == Shape::kObject) {
    for (const auto& entry : value.get_object()) {
      const Field* field = schema.find(entry.key());
      if (field != nullptr)
        check_words(entry.value(), *field->type, FieldPath(path, field->name), findings);
    }
  } else if (value.is_array() && schema.shape == Shape::kList) {
    std::size_t index = 0;
    for (const json::Value& item : value.get_array()) {
      check_words(item, *schema.element, FieldPath(path, index++), findings);
    }
  }
}

void check_native(const json::Object& object, const Schema& schema, Findings& findings) {
  FieldPath root;
  for (const auto& entry : object) {
    const Field* field = schema.find(entry.key());
    if (field == nullptr || field->name == "status") continue;
    check_words(entry.value(), *field->type, FieldPath(root, field->name), findings);
  }
}

// Metadata has been decoded, and has rules of its own.
void check_custom(const json::Object& object, const Resource& resource, Findings& findings) {
  Findings found;
  check(object, *resource.schema, found);
  std::erase_if(found.causes,
                [](const Cause& cause) { return cause.field.starts_with("metadata."); });
  std::ranges::move(found.causes, std::back_inserter(findings.causes));
  check_scale(object, resource, findings);
}

class Decoding {
 public:
  Decoding(json::Object& object, const Resource& resource, Source source, const PatchWords& words)
      : object_(object), resource_(resource), source_(source), words_(words) {}

  Result<> run(Unknown unknown, const std::vector<std::string>& duplicates,
               std::vector<std::string>& warnings) {
    std::vector<std::string> problems = strict_problems(duplicates);
    if (!problems.empty() && unknown == Unknown::kStrict) {
      return refuse(fmt::format("strict decoding error: {}", fmt::join(problems, ", ")));
    }
    bool clean = problems.empty();
    if (unknown == Unknown::kWarn) std::ranges::move(problems, std::back_inserter(warnings));
    if (resource_.schema == nullptr) return {};
    std::vector<std::string> removed;
    if (!clean) prune(object_, *resource_.schema, removed);
    if (words_.strategic)
      if (auto problem = restore_problem(object_, *resource_.schema)) return refuse(*problem);
    auto problem = resource_.native ? go_decode(object_, *resource_.schema) : decode_metadata();
    if (problem) return refuse(*problem);
    return {};
  }

 private:
  // Metadata is Kubernetes' own whatever the kind.
  std::optional<std::string> decode_metadata() {
    const Field* field = resource_.schema->find("metadata");
    json::Value* metadata = object_.if_contains("metadata");
    if (field == nullptr || metadata == nullptr || !metadata->is_object()) return std::nullopt;
    return go_decode(metadata->get_object(), *field->type);
  }

  // Unknown and repeated fields, as the API server names them.
  std::vector<std::string> strict_problems(const std::vector<std::string>& duplicates) const {
    std::vector<std::string> problems;
    problems.reserve(duplicates.size());
    for (const std::string& path : duplicates)
      problems.push_back(fmt::format("duplicate field \"{}\"", path));
    if (resource_.schema == nullptr) return problems;
    std::vector<std::string> unknown = unknown_fields(object_, *resource_.schema);
    if (!resource_.native) std::ranges::sort(unknown);
    for (const std::string& path : unknown)
      problems.push_back(fmt::format("unknown field \"{}\"", path));
    return problems;
  }

  std::unexpected<Error> refuse(const std::string& problem) const {
    if (source_ == Source::kPatch) return cannot_decode(object_, words_, problem);
    return fail(ErrorCode::kBadRequest,
                fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}",
                            resource_.gvk.kind, resource_.gvk.version, problem));
  }

  json::Object& object_;
  const Resource& resource_;
  Source source_;
  const PatchWords& words_;
};

void encode(json::Object& object, const Resource& resource) {
  if (resource.native) return go_encode(object, *resource.schema);
  const Field* field = resource.schema->find("metadata");
  if (field != nullptr && field->type->shape == Shape::kObject) {
    go_encode(metadata_of(object), *field->type);
  }
}

// False: what is being deleted goes without defaults for which there is no room. Else nobody could
// take its finalizers away.
Result<bool> add_defaults(json::Object& object, const json::Object* old, const Resource& resource) {
  if (old != nullptr && is_deleting(*old) && !resource.native)
    return fill_in_defaults_that_fit(object, *resource.schema);
  SLIPWAY_TRY(fill_in_defaults(object, *resource.schema));
  return true;
}

// False when it goes without defaults of its schema.
Result<bool> fill_in(json::Object& object, const json::Object* old, const Resource& resource,
                     const std::function<void(json::Object&)>& defaulted) {
  Result<bool> whole = true;
  if (resource.schema != nullptr) whole = add_defaults(object, old, resource);
  if (!whole) return whole;
  if (resource.rules.set_defaults) resource.rules.set_defaults(object);
  if (defaulted) {
    // Owners are noted of the object as Go writes it, zero values that are always written included.
    if (resource.schema != nullptr) encode(object, resource);
    defaulted(object);
  }
  if (resource.rules.prepare) resource.rules.prepare(object, old);
  return whole;
}

}  // namespace

Result<> admit(json::Object& object, const json::Object* old, const Resource& resource,
               Unknown unknown, const std::vector<std::string>& duplicates,
               std::vector<std::string>& warnings, Source source,
               const std::function<void(json::Object&)>& defaulted, const PatchWords& words) {
  SLIPWAY_TRY(Decoding(object, resource, source, words).run(unknown, duplicates, warnings));
  const Result<bool> whole = fill_in(object, old, resource, defaulted);
  if (!whole) return std::unexpected(whole.error());
  Findings findings;
  check_metadata(object, old, resource, findings);
  if (resource.schema != nullptr && resource.native) {
    check_native(object, *resource.schema, findings);
  } else if (resource.schema != nullptr && *whole) {
    check_custom(object, resource, findings);
  }
  if (resource.rules.validate) resource.rules.validate(object, old, findings);
  if (!findings.empty()) return fail(findings.error(resource.gvk, name_of(object)));
  if (resource.schema != nullptr) encode(object, resource);
  return {};
}

}  // namespace slipway::api
