#include "cli/kept_selector.h"

#include "api/kinds/argo_names.h"

namespace slipway::cli {

void leave_selector_to_rollout(json::Value& manifest, const json::Value& served) {
  namespace argo = api::argo;
  if (json::string_at(manifest, {"apiVersion"}) != "v1" ||
      json::string_at(manifest, {"kind"}) != "Service" ||
      json::string_at(served, {"metadata", "annotations", argo::kManagedBy}).empty())
    return;
  const json::Value* now = json::at(served, {"spec", "selector"});
  const json::Value* wanted = json::at(manifest, {"spec", "selector"});
  if (!now || !now->is_object() || !wanted || !json::at(*now, {argo::kHashLabel})) return;
  json::Object without = now->get_object();
  json::erase(without, argo::kHashLabel);
  if (json::same(without, *wanted)) json::erase(json::object_at(manifest, {"spec"}), "selector");
}

}  // namespace slipway::cli
