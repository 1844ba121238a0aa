#include "metrics/csv.h"

#include <algorithm>

namespace slipway::metrics {

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  if (rest_.empty()) return false;
  while (true) {
    fields.push_back(field());
    if (!rest_.starts_with(',')) break;
    rest_.remove_prefix(1);
  }
  if (rest_.starts_with('\r')) rest_.remove_prefix(1);
  if (rest_.starts_with('\n')) rest_.remove_prefix(1);
  return true;
}

std::string CsvReader::field() {
  std::string text;
  if (rest_.starts_with('"')) {
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      std::size_t quote = std::min(rest_.find('"'), rest_.size());
      text += rest_.substr(0, quote);
      rest_.remove_prefix(std::min(quote + 1, rest_.size()));
      if (!rest_.starts_with('"')) break;
      text += '"';
      rest_.remove_prefix(1);
    }
  }
  // Nothing but a comma or a line end should follow a quote; what does belongs to the field.
  std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
  // A carriage return alone ends no line.
  while (end < rest_.size() && rest_[end] == '\r' && rest_.substr(end + 1, 1) != "\n") {
    end = std::min(rest_.find_first_of(",\r\n", end + 1), rest_.size());
  }
  text += rest_.substr(0, end);
  rest_.remove_prefix(end);
  return text;
}

}  // namespace slipway::metrics
