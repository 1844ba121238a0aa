#include "http/reason.h"

#include <algorithm>
#include <array>

namespace slipway::http {

namespace {

struct Reason {
  int status;
  std::string_view phrase;
};

constexpr std::array kReasons = std::to_array<Reason>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {507, "Insufficient Storage"},
});
static_assert(std::is_sorted(kReasons.begin(), kReasons.end(),
                             [](const Reason& a, const Reason& b) { return a.status < b.status; }));

}  // namespace

std::string_view reason_of(int status) {
  auto it =
      std::lower_bound(kReasons.begin(), kReasons.end(), status,
                       [](const Reason& reason, int wanted) { return reason.status < wanted; });
  return it != kReasons.end() && it->status == status ? it->phrase : std::string_view();
}

}  // namespace slipway::http
