#pragma once

#include <string>
#include <vector>

#include "analysis/assess.h"

namespace slipway::analysis {

// Keeps what came from Secrets out of everything that is written down.
class Redactor {
 public:
  void add(const std::string& secret);
  bool empty() const { return secrets_.empty(); }

  // `text` with each secret, in whatever form (see metrics/redact.h), as "*****"; and so the
  // beginning of one where a text was cut short. Secrets of under kShortestSecret characters are
  // left in `value` and metadata, where they would eat numbers, and cleaned from messages alone.
  std::string cleaned_message(std::string text) const;
  std::string cleaned(std::string text) const;
  // Message, value, metadata of the measurement and of its result.
  void clean(Measured& measured) const;

  static constexpr std::size_t kShortestSecret = 4;

 private:
  std::vector<std::string> secrets_;  // the longest first
  std::vector<std::string> long_secrets_;
};

}  // namespace slipway::analysis
