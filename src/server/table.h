#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "server/call.h"

// Tables, as `kubectl get` asks for them: columns and cells made by the server.
namespace slipway::server {

struct Column {
  std::string name;
  std::string type = "string";
  std::string format = {};
  std::string description = {};
  int priority = 0;  // above 0 only with -o wide
};

// How objects of one kind become rows. `print` appends a cell for each column.
struct Printer {
  std::vector<Column> columns;
  std::function<void(const json::Value& object, Time now, json::Array& cells)> print;
};
// The printer of Kubernetes' own printers.go for built-in kinds; the kind's printer columns for the
// others.
Printer printer_for(const api::Resource& resource);

// Which part of an object goes with its row (?includeObject=). Errors: kBadRequest.
enum class Include { kNone, kMetadata, kObject };
Result<Include> include_object(const Call& call);

struct TableMetadata {
  store::Version version = 0;
  std::string continue_token = {};
  std::optional<std::size_t> remaining = {};
};

// Writes one Table: rows are added, then it is finished. A watch starts over for each event.
class TableWriter {
 public:
  TableWriter(const api::Resource& resource, Include include, std::string meta_version, Time now);
  Result<> add(const store::Item& item);
  void set_now(Time now) { now_ = now; }
  // The document; the writer is then empty again. Later events of a watch leave the columns out.
  std::string finish(const TableMetadata& metadata, bool with_columns);

 private:
  void add_object(const store::Item& item, const json::Value& object);

  Printer printer_;
  Include include_;
  std::string meta_version_;
  Time now_;
  bool is_pod_;
  std::string rows_;
};

}  // namespace slipway::server
