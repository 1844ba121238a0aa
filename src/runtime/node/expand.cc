#include "runtime/node/expand.h"

namespace slipway::runtime {

std::string expand(std::string_view text,
                   const std::function<std::optional<std::string>(std::string_view)>& find) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] != '$' || (next != '$' && next != '(')) {
      out += text[at++];
      continue;
    }
    if (next == '$') {
      out += '$';
      at += 2;
      continue;
    }
    const std::size_t close = text.find(')', at);
    if (close == std::string_view::npos) {
      out += "$(";
      at += 2;
      continue;
    }
    const auto value = find(text.substr(at + 2, close - at - 2));
    out += value ? *value : std::string(text.substr(at, close + 1 - at));
    at = close + 1;
  }
  return out;
}

}  // namespace slipway::runtime
