#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace slipway::metrics {

inline constexpr std::size_t kMaxXmlDepth = 32;
inline constexpr std::size_t kMaxXmlElements = 1'000'000;

// As much XML as AWS answers hold: elements and text. Attributes, comments and processing
// instructions are passed over; a document type is refused, and with it every entity but the five.
struct XmlElement {
  std::string name;
  std::string text = {};  // what lies directly in it
  std::vector<XmlElement> children = {};

  // The first child of that name, or null.
  const XmlElement* find(std::string_view child) const;
  // The text of the first child of that name, or empty.
  std::string_view text_of(std::string_view child) const;
};

// Errors: kInvalid with the byte offset.
Result<XmlElement> parse_xml(std::string_view text);

}  // namespace slipway::metrics
