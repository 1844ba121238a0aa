#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace slipway::metrics {

// An http or https address, taken apart.
struct Url {
  std::string scheme;
  std::string user = {};
  std::string password = {};
  std::string host;        // with its port when one was written
  std::string path = {};   // without a slash at the end
  std::string query = {};  // as written, without ?

  // Scheme, host and path, then `more`. Nobody's name or password is in it.
  std::string with(std::string_view more) const;
};

// Errors: kInvalid, without user and password.
Result<Url> parse_url(std::string_view text);

// Where a Location header leads from `base`. Errors: kInvalid.
Result<std::string> resolve_url(const std::string& base, const std::string& reference);

// As forms and Go's url.Values are written: a space is a plus sign.
std::string form_escape(std::string_view text);
std::string format_form(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace slipway::metrics
