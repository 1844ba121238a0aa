#include "store/embedded/record.h"

#include <fmt/format.h>

#include "api/object.h"

namespace slipway::store {

Item item_of(const Record& record) {
  return {.key = record.key, .version = record.version, .bytes = record.bytes};
}

json::Object decode(const Record& record) {
  // What was written under the limits may be read back whatever they are now.
  Result<json::Value> value = json::read(
      *record.bytes, {.max_bytes = record.bytes->size() + 1, .max_depth = 2 * json::kMaxDepth});
  SLIPWAY_ASSERT(value && value->is_object());
  return std::move(value->as_object());
}

namespace {
Bytes write_exactly(const json::Object& object) {
  std::string text;
  json::append(text, object);
  text.shrink_to_fit();  // kept for long: growth slack would be memory for nothing
  return std::make_shared<const std::string>(std::move(text));
}
}  // namespace

Record encode(json::Object object, Version version) {
  json::Object& metadata = api::metadata_of(object);
  if (version == 0) {
    json::erase(metadata, "resourceVersion");
  } else {
    metadata["resourceVersion"] = fmt::format_int(version).str();
  }
  Record record;
  record.key = {std::string(api::namespace_of(object)), std::string(api::name_of(object))};
  record.version = version;
  record.bytes = write_exactly(object);
  record.labels = api::labels_of(object);
  record.deleting = api::is_deleting(object);
  return record;
}

Item item_of(const Record& record, std::string_view api_version) {
  Item item = item_of(record);
  if (*record.api_version != api_version) {
    json::Object object = decode(record);
    object["apiVersion"] = api_version;
    item.bytes = write_exactly(object);
  }
  return item;
}

Bytes with_version(const Record& record, Version version) {
  json::Object object = decode(record);
  api::metadata_of(object)["resourceVersion"] = fmt::format_int(version).str();
  return write_exactly(object);
}

}  // namespace slipway::store
