#include "server/table.h"

#include <fmt/format.h>

#include "server/present.h"
#include "server/printers.h"

namespace slipway::server {
namespace {

json::Array column_definitions(const std::vector<Column>& columns) {
  json::Array definitions;
  for (const auto& column : columns) {
    definitions.push_back(json::Object{{"name", column.name},
                                       {"type", column.type},
                                       {"format", column.format},
                                       {"description", column.description},
                                       {"priority", column.priority}});
  }
  return definitions;
}

// kubectl fades rows of pods that have ended.
std::string completed_condition(const json::Value& pod) {
  auto phase = json::string_at(pod, {"status", "phase"});
  if (phase != "Succeeded" && phase != "Failed") return "";
  return fmt::format(
      R"("conditions":[{{"type":"Completed","status":"True","reason":"{}","message":"{}"}}],)",
      phase, phase == "Failed" ? "The pod failed." : "The pod has completed successfully.");
}

}  // namespace

Result<Include> include_object(const Call& call) {
  auto value = call.parameter("includeObject");
  if (value.empty() || value == "Metadata") return Include::kMetadata;
  if (value == "None") return Include::kNone;
  if (value == "Object") return Include::kObject;
  return fail(ErrorCode::kBadRequest,
              fmt::format("Unable to convert to Table as requested: includeObject: Invalid value: "
                          "\"{}\": must be 'Metadata', 'Object', 'None', or empty",
                          value));
}

TableWriter::TableWriter(const api::Resource& resource, Include include, std::string meta_version,
                         Time now)
    : printer_(printer_for(resource)),
      include_(include),
      meta_version_(std::move(meta_version)),
      now_(now),
      is_pod_(resource.gvk.group.empty() && resource.gvk.kind == "Pod") {}

Result<> TableWriter::add(const store::Item& item) {
  auto object = decode_item(item);
  if (!object) return std::unexpected(object.error());
  add_object(item, *object);
  return {};
}

void TableWriter::add_object(const store::Item& item, const json::Value& object) {
  json::Array cells;
  printer_.print(object, now_, cells);
  SLIPWAY_ASSERT(cells.size() == printer_.columns.size());
  if (!rows_.empty()) rows_ += ',';
  rows_ += "{\"cells\":";
  json::append(rows_, cells);
  rows_ += ',';
  if (is_pod_) rows_ += completed_condition(object);
  rows_ += "\"object\":";
  switch (include_) {
    case Include::kNone:
      rows_ += "null";
      break;
    case Include::kObject:
      rows_ += *item.bytes;
      break;
    case Include::kMetadata: {
      rows_ += fmt::format(
          R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/{}","metadata":)",
          meta_version_);
      const auto* metadata = json::at(object, {"metadata"});
      json::append(rows_, metadata ? *metadata : json::Value(json::Object()));
      rows_ += '}';
      break;
    }
  }
  rows_ += '}';
}

std::string TableWriter::finish(const TableMetadata& metadata, bool with_columns) {
  std::string text = fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{{"resourceVersion":"{}")",
      meta_version_, metadata.version);
  if (!metadata.continue_token.empty()) {
    text += ",\"continue\":";
    json::append_string(text, metadata.continue_token);
  }
  if (metadata.remaining && *metadata.remaining > 0)
    text += fmt::format(",\"remainingItemCount\":{}", *metadata.remaining);
  text += "},\"columnDefinitions\":";
  if (with_columns) {
    json::append(text, column_definitions(printer_.columns));
  } else {
    text += "null";
  }
  text += ",\"rows\":[" + std::exchange(rows_, {}) + "]}";
  return text;
}

}  // namespace slipway::server
