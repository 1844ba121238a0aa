#pragma once

#include <string>
#include <string_view>

namespace slipway::analysis::report {

// Text as the content of an element or the value of a quoted attribute: nothing in it is markup,
// whatever others named their metrics. Control characters and what is no UTF-8 become U+FFFD; line
// ends and tabs stay.
std::string html_text(std::string_view text);

// The same, shortened to about so many bytes with a note of how many are missing.
std::string html_text(std::string_view text, std::size_t most);

}  // namespace slipway::analysis::report
