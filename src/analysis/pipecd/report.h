#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/lint/lint.h"
#include "base/error.h"

namespace slipway::analysis::pipecd {

// What was found while a document was read, in its order.
class Report {
 public:
  using Severity = api::Problem::Severity;
  struct Finding {
    std::string field;
    Severity severity = Severity::kError;
    std::string message;
  };

  void error(std::string field, std::string message);
  void warning(std::string field, std::string message);
  void add(std::string field, Severity severity, std::string message);

  bool has_error(std::string_view field) const;
  const std::vector<Finding>& findings() const { return findings_; }
  // The first error as a failure; fine when there is none.
  Result<> result() const;

 private:
  std::vector<Finding> findings_ = {};
};

}  // namespace slipway::analysis::pipecd
