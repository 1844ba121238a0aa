#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/registry.h"
#include "async/loop.h"
#include "http/server.h"

namespace slipway::server {

// Serves /openapi/v2 and /openapi/v3. Documents are made when first asked for, kept compressed, and
// dropped when nobody has asked for a while or the kinds have changed: an idle server does not keep
// megabytes for a kubectl that came by yesterday.
class OpenApiCache {
 public:
  OpenApiCache(Loop& loop, const api::Registry& registry) : loop_(loop), registry_(registry) {}

  // Nothing for other paths.
  std::optional<http::Response> answer(const http::Request& request);

  static constexpr Duration kIdle = std::chrono::seconds(60);

 private:
  struct Document {
    http::Bytes gzipped;
    std::size_t size = 0;  // before that
    std::string etag;      // a hash of the content
  };

  const Document& keep(const std::string& name, const std::function<std::string()>& make);
  http::Response index();
  http::Response v2(const http::Request& request);
  http::Response v3(const http::Request& request, const std::string& path);
  // The hash of a v3 document; kept longer than the document, because the index names them all.
  std::string hash_of(const std::string& path);
  const Document& keep_v3(const std::string& path);
  http::Response present(const http::Request& request, const Document& document,
                         std::string content_type);
  void touch();

  Loop& loop_;
  const api::Registry& registry_;
  std::uint64_t version_ = 0;
  std::map<std::string, Document> documents_;
  std::map<std::string, std::string> hashes_;
  std::unique_ptr<Clock::Timer> idle_;
};

}  // namespace slipway::server
