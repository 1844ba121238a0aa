#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::server {

// One clause of an Accept or Content-Type header: type/subtype;key=value….
struct MediaType {
  std::string type;  // lower case, "application/json"
  std::vector<std::pair<std::string, std::string>> parameters;
  double quality = 1;

  std::string_view parameter(std::string_view name) const;
};
inline constexpr std::size_t kMaxAcceptClauses = 32;
// Best first: by q, then as written.
std::vector<MediaType> parse_accept(std::string_view header);
MediaType parse_media_type(std::string_view header);

// How an answer with objects is to look.
struct Accepted {
  enum class Form { kObject, kTable, kMetadata };
  Form form = Form::kObject;
  std::string meta_version = "v1";  // of Table and PartialObjectMetadata: v1 or v1beta1
  bool yaml = false;
};
// Nothing when the client takes only what we do not speak (protobuf, CBOR). An empty header takes
// anything.
std::optional<Accepted> negotiate(std::string_view accept);

}  // namespace slipway::server
