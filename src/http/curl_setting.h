#pragma once

#include <curl/curl.h>

#include "base/error.h"

namespace slipway::http {

// An option of a handle. Only options that this libcurl knows are set, so a failure is a bug.
template <class Value>
void set_option(CURL* easy, CURLoption option, Value value) {
  SLIPWAY_ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

}  // namespace slipway::http
