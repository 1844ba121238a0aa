#include "api/patch/drop_nulls.h"

namespace slipway::api {

void drop_nulls(json::Value& value) {
  if (value.is_array()) {
    for (json::Value& item : value.get_array()) drop_nulls(item);
  } else if (value.is_object()) {
    json::Object& object = value.get_object();
    json::Object kept;
    kept.reserve(object.size());
    for (auto& [key, member] : object) {
      if (member.is_null()) continue;
      drop_nulls(member);
      kept.emplace(key, std::move(member));
    }
    object = std::move(kept);
  }
}

}  // namespace slipway::api
