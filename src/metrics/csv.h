#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::metrics {

// RFC 4180, record by record. Quotes may hold commas, line ends and doubled quotes; one that is not
// closed holds the rest.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}
  // The fields of the next record: one empty field for an empty line. False at the end.
  bool next(std::vector<std::string>& fields);

 private:
  std::string field();

  std::string_view rest_;
};

}  // namespace slipway::metrics
