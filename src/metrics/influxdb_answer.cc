// Annotated CSV: tables one after another, each with three annotation lines and a header.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "metrics/answer_parsers.h"
#include "metrics/csv.h"
#include "metrics/http_source.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

using Fields = std::vector<std::string>;

struct Column {
  std::string name = {};
  std::string type = {};
  std::string standard = {};  // stands for an empty field
  bool group = false;
};

std::string_view text_of(const Column& column, const Fields& row, std::size_t at) {
  if (at < row.size() && !row[at].empty()) return row[at];
  return column.standard;
}

// Null when the field is empty; kInvalid when it is not of its type.
Result<json::Value> typed(const Column& column, std::string_view text) {
  if (text.empty() && column.type != "string") return json::Value(nullptr);
  auto wrong = [&] {
    return fail(ErrorCode::kInvalid,
                fmt::format("invalid response: \"{}\" is no {}", excerpt(text), column.type));
  };
  const char* end = text.data() + text.size();
  if (column.type == "double") {
    auto number = parse_number(text);
    if (!number) return wrong();
    return json::Value(*number);
  }
  if (column.type == "long") {
    std::int64_t number = 0;
    auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read != end) return wrong();
    return json::Value(number);
  }
  if (column.type == "unsignedLong") {
    std::uint64_t number = 0;
    auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read != end) return wrong();
    return json::Value(number);
  }
  if (column.type == "boolean") return json::Value(text == "true");
  return json::Value(text);
}

class TableReader {
 public:
  Result<Answer> read(std::string_view body) {
    answer_.shape = Answer::Shape::kMatrix;
    answer_.document = json::Array();
    CsvReader csv(body);
    Fields fields;
    while (csv.next(fields)) {
      if (fields.size() == 1 && fields[0].empty()) {
        header_.clear();
      } else if (fields[0].starts_with('#')) {
        annotate(fields);
      } else if (header_.empty()) {
        SLIPWAY_TRY(take_header(fields));
      } else {
        SLIPWAY_TRY(take_row(fields));
      }
    }
    return std::move(answer_);
  }

 private:
  void annotate(const Fields& fields) {
    header_.clear();
    if (fields[0] == "#datatype") columns_.assign(fields.size(), {});
    for (std::size_t i = 0; i < std::min(columns_.size(), fields.size()); ++i) {
      if (fields[0] == "#datatype") columns_[i].type = fields[i];
      if (fields[0] == "#group") columns_[i].group = fields[i] == "true";
      if (fields[0] == "#default" && i > 0) columns_[i].standard = fields[i];
    }
  }

  Result<> take_header(const Fields& fields) {
    header_ = fields;
    columns_.resize(std::max(columns_.size(), fields.size()));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].name = i < fields.size() ? fields[i] : std::string();
    }
    auto at = [this](std::string_view name) {
      auto found = std::find(header_.begin(), header_.end(), name);
      return static_cast<std::size_t>(found - header_.begin());
    };
    value_ = at("_value");
    time_ = at("_time") < header_.size() ? at("_time") : at("_stop");
    table_ = at("table");
    error_ = at("error");
    table_text_.reset();
    bool known = value_ < header_.size() || error_ < header_.size() || table_ < header_.size();
    if (!known) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("invalid response: no annotated CSV: {}",
                              excerpt(fmt::format("{}", fmt::join(fields, ",")))));
    }
    return {};
  }

  // An error that came up after the answer had begun is a table of its own.
  Result<> take_row(const Fields& row) {
    if (error_ < header_.size()) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("error accessing influxdb query api: {}",
                              excerpt(error_ < row.size() ? row[error_] : std::string())));
    }
    begin_series(row);
    if (value_ >= header_.size()) return {};
    auto value = typed(columns_[value_], text_of(columns_[value_], row, value_));
    if (!value) return fail(std::move(value).error());
    if (value->is_number()) {
      Time time;
      if (time_ < header_.size()) {
        time = parse_time(text_of(columns_[time_], row, time_)).value_or(Time());
      }
      answer_.series.back().points.push_back({time, value->to_number<double>()});
    }
    answer_.document->get_array().push_back(std::move(*value));
    return {};
  }

  void begin_series(const Fields& row) {
    std::string table(table_ < header_.size() ? text_of(columns_[table_], row, table_) : "");
    if (table_text_ == table) return;
    table_text_ = std::move(table);
    Series series;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].group || columns_[i].type != "string") continue;
      series.labels.emplace_back(columns_[i].name, text_of(columns_[i], row, i));
    }
    answer_.series.push_back(std::move(series));
  }

  Answer answer_;
  std::vector<Column> columns_;
  Fields header_;
  std::size_t value_ = 0, time_ = 0, table_ = 0, error_ = 0;
  std::optional<std::string> table_text_;
};

}  // namespace

Result<Answer> parse_influxdb_answer(std::string_view body) { return TableReader().read(body); }

}  // namespace slipway::metrics
