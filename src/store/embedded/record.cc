#include "store/embedded/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/object.h"
#include "api/versions.h"
#include "base/json_depth.h"
#include "base/log.h"
#include "store/decode.h"
#include "store/embedded/decide.h"
#include "store/key_of.h"

namespace slipway::store {

namespace {

// What was written under the limits may be read back whatever they are now.
json::ReadOptions limits_of(const Record& record) {
  return {.max_bytes = record.bytes->size() + 1, .max_depth = 2 * json::kMaxDepth};
}

json::Object object_in(Result<json::Value> value) {
  SLIPWAY_ASSERT(value && value->is_object());
  return std::move(value->as_object());
}

json::Object in_version(json::Object object, const Record& record, const api::Resource& resource) {
  if (*record.api_version != resource.gvk.api_version()) api::to_version(object, resource);
  return object;
}

constexpr std::size_t kMaxScratch = 64 * 1024;

// Written into a buffer that is used again and again, then copied once: bytes are kept for long, so
// they get exactly the memory they need, and growing a new string for each write would leave holes
// of every size behind.
Bytes write_exactly(json::Object object) {
  const json::Value value(
      std::move(object));  // the writer takes values, and an object would be copied into one
  thread_local std::string scratch;
  scratch.clear();
  json::append(scratch, value);
  auto bytes = std::make_shared<const std::string>(scratch);
  if (scratch.capacity() > kMaxScratch) std::string().swap(scratch);
  return bytes;
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
  record.key = key_of(object);
  record.version = version;
  record.labels = api::labels_of(object);
  record.deleting = api::is_deleting(object);
  record.bytes = write_exactly(std::move(object));
  return record;
}

json::Object decode(const Record& record, const api::Resource& resource) {
  return in_version(decode(record), record, resource);
}

Item item_of(const Record& record, const api::Resource& resource) {
  Item item{.key = record.key, .version = record.version, .bytes = record.bytes};
  if (*record.api_version != resource.gvk.api_version())
    item.bytes = write_exactly(decode(record, resource));
  return item;
}

json::Object decode(const Record& record) {
  return object_in(json::read(*record.bytes, limits_of(record)));
}

json::Object decode(const Record& record, const api::Resource& resource, json::Scratch& scratch) {
  return in_version(object_in(scratch.read(*record.bytes, limits_of(record))), record, resource);
}

namespace {
// Null where new defaults make more of the object than may be kept.
Bytes fitted_bytes(const Record& written, const api::Schema& schema) {
  json::Object object = decode(written);
  if (!api::to_schema(object, schema) || !json::nested_within(object, kMaxObjectDepth))
    return nullptr;
  Bytes bytes = write_exactly(std::move(object));
  return bytes->size() > std::max(kMaxObjectBytes, written.bytes->size()) ? nullptr : bytes;
}
}  // namespace

RecordPtr refitted(const Record& record, const api::Schema& schema) {
  Record fitted = record;
  // Always from what was written: a field that comes back into the schema brings its value along.
  if (record.written) fitted.bytes = std::exchange(fitted.written, nullptr);
  Bytes bytes = fitted_bytes(fitted, schema);
  if (!bytes) {
    log::warning("store",
                 "{} object {}/{} is shown as it was written: the defaults of its present schema "
                 "would make it larger than {} bytes, or too deep",
                 *record.api_version, record.key.ns, record.key.name, kMaxObjectBytes);
    bytes = fitted.bytes;
  }
  if (*bytes == *record.bytes) return nullptr;
  if (*bytes != *fitted.bytes) fitted.written = std::exchange(fitted.bytes, std::move(bytes));
  return std::make_shared<const Record>(std::move(fitted));
}

Bytes with_version(const Record& record, Version version) {
  json::Object object = decode(record);
  api::metadata_of(object)["resourceVersion"] = fmt::format_int(version).str();
  return write_exactly(std::move(object));
}

}  // namespace slipway::store
