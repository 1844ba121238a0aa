#include "api/apply/last_applied.h"

#include "api/apply/compare.h"
#include "api/apply/typed_check.h"
#include "api/object.h"

namespace slipway::api {

namespace {

constexpr std::size_t kMaxAnnotationBytes = 256 * 1024;  // of all annotations together

std::size_t annotation_bytes(const json::Object& annotations) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations)
    bytes += key.size() + (value.is_string() ? value.get_string().size() : 0);
  return bytes;
}

}  // namespace

void allow_last_applied(std::vector<Conflict>& conflicts, const json::Object& live,
                        const Resource& resource) {
  auto last = json::read(annotation_of(live, kLastApplied));
  if (!last || !last->is_object()) return;
  const json::Object& applied = last->get_object();
  if (json::string_at(*last, {"apiVersion"}) != resource.gvk.api_version()) return;
  if (gvk_of(applied) != resource.gvk || !check_config(applied, resource.schema) ||
      !check_config(live, resource.schema))
    return;
  Comparison since = compare_objects(applied, live, resource.schema, false);
  FieldSet allowed = field_set_of(applied, resource.schema)
                         .minus(since.modified)
                         .minus(since.added)
                         .minus(since.removed);
  std::erase_if(conflicts,
                [&](const Conflict& conflict) { return allowed.contains(conflict.path); });
}

void renew_last_applied(json::Object& object, const json::Object& config) {
  if (annotation_of(object, kLastApplied).empty()) return;
  json::Value document = config;
  if (json::Value* annotations = json::at(document, {"metadata", "annotations"});
      annotations != nullptr && annotations->is_object())
    json::erase(annotations->get_object(), kLastApplied);
  set_annotation(object, kLastApplied,
                 json::write(document, {.escape_html = true, .sort_keys = true}) + "\n");
  json::Value* annotations = metadata_of(object).if_contains("annotations");
  if (annotation_bytes(annotations->get_object()) > kMaxAnnotationBytes)
    json::erase(annotations->get_object(), kLastApplied);
}

}  // namespace slipway::api
