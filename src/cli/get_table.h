#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "cli/output.h"
#include "cli/served_kind.h"

// What `get` makes of a server's Tables. Pure.
namespace slipway::cli {

struct TableStyle {
  Format format = Format::kTable;  // kWide: every column; kName: names alone
  bool with_namespace = false;
  bool with_labels = false;
  bool type_before_name = false;  // rollout.argoproj.io/web
};

class TableReader {
 public:
  explicit TableReader(TableStyle style) : style_(style) {}

  // The rows of an answer, under their columns with `header`. Events of a watch have no columns:
  // those that were seen last are theirs. Not every server can make a Table of every kind: objects
  // are shown by name and age.
  std::vector<std::vector<std::string>> rows(const ServedKind& kind, const json::Value& answer,
                                             bool header, Time now);

 private:
  bool shown(const json::Value& column) const;
  std::vector<std::string> header_of(const ServedKind& kind) const;
  std::vector<std::string> line_of(const ServedKind& kind, const json::Value& row) const;

  TableStyle style_;
  json::Array columns_ = {};
};

}  // namespace slipway::cli
