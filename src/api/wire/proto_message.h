#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "api/wire/proto_wire.h"

namespace slipway::api {

// Reads protobuf messages of Kubernetes' own types into JSON, led by their schemas. What Go writes
// of zero values is go_encode's business: all that is on the wire is put into the object.
class MessageReader {
 public:
  explicit MessageReader(const SchemaSet& schemas) : schemas_(schemas) {}

  // Errors: kBadRequest.
  Result<> read(std::string_view message, const Schema& schema, json::Object& out);

 private:
  using Path = std::vector<std::uint32_t>;

  Result<> read_message(std::string_view message, const Schema& schema, json::Object& out,
                        Path path, std::size_t depth);
  Result<> read_field(const WireField& wire, const Field& field, json::Object& out,
                      std::size_t depth);
  Result<> read_items(const WireField& wire, const Schema& list, json::Array& out,
                      std::size_t depth);
  Result<> read_entry(std::string_view entry, const Schema& map, json::Object& out,
                      std::size_t depth);
  Result<json::Value> read_map_value(const WireField& wire, const Schema& schema,
                                     std::size_t depth);
  Result<json::Value> read_value(const WireField& wire, const Schema& schema, std::size_t depth);
  // The free JSON of a CRD's schemas, which protobuf gives structure.
  Result<json::Value> read_schema_or(std::string_view message, std::string_view kind,
                                     std::size_t depth);
  Result<json::Value> read_json_schema(std::string_view message, std::size_t depth);
  Result<> count(std::size_t depth);

  const SchemaSet& schemas_;
  std::size_t values_ = 0;
};

}  // namespace slipway::api
