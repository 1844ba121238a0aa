#include <fmt/format.h>

#include "base/base64.h"
#include "store/embedded/list.h"

namespace slipway::store {

namespace {
const json::Value kNoVersion = -1;

std::unexpected<Error> not_a_token() {
  return fail(ErrorCode::kBadRequest, "continue key is not valid");
}
}  // namespace

// The form Kubernetes gives its own, URL-safe base64 of {"v","rv","start"}: nothing reads it but
// us, but it looks familiar in logs and needs no escaping in a query.
std::string write_token(const ContinueToken& token) {
  json::Object fields{{"v", "meta.k8s.io/v1"},
                      {"rv", token.version == 0 ? kNoVersion : json::Value(token.version)},
                      {"start", fmt::format("{}/{}", token.after.ns, token.after.name)}};
  std::string text = base64_encode(json::write(fields));
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

Result<ContinueToken> read_token(std::string_view text) {
  std::string standard(text);
  for (char& c : standard) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (standard.size() % 4 != 0) standard.push_back('=');
  Result<std::string> decoded = base64_decode(standard);
  if (!decoded) return not_a_token();
  Result<json::Value> value = json::read(*decoded);
  if (!value || !value->is_object()) return not_a_token();
  const json::Value* version = json::at(*value, {"rv"});
  std::string_view start = json::string_at(*value, {"start"});
  std::size_t slash = start.find('/');
  if (json::string_at(*value, {"v"}) != "meta.k8s.io/v1" || !version || !version->is_number() ||
      slash == std::string_view::npos) {
    return not_a_token();
  }
  boost::system::error_code wrong;
  Version number = json::same(*version, kNoVersion) ? 0 : version->to_number<Version>(wrong);
  if (wrong) return not_a_token();
  return ContinueToken{number,
                       {std::string(start.substr(0, slash)), std::string(start.substr(slash + 1))}};
}

}  // namespace slipway::store
